"""Game boards, found in pictures by their own print, and what stands on their places."""
