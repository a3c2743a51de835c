"""What Open WebUI keeps for itself."""
