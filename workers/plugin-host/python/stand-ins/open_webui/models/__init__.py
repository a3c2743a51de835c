"""Look-ups."""
