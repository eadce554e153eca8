"""The simulated table: drawn faces, rendered pictures, bots that play whole games."""
