"""Where Open WebUI keeps files."""
