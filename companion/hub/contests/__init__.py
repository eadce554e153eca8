"""What a club plays for: leagues, tournaments, records. They are made of results alone."""
