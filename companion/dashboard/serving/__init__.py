"""How the page gets to the phones: the door with its limits, requests, and streams that last."""
