"""The process of one plugin."""
