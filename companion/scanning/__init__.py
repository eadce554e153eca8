"""Single pictures beside the books: what a scan says, and how that differs from what is known."""
