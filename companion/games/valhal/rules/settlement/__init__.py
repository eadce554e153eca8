"""What happens at home: building, food, sacrifices, favour, the seasons."""
