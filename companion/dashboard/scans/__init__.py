"""A phone as a camera: pictures taken on the page, and what is read in them."""
