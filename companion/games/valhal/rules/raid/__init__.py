"""The Vikingfahrt: the Mainland, the voyage, battles, Loot, and their odds."""
