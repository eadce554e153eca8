"""Who may do what on the page, and which requests are refused before any view sees them."""
