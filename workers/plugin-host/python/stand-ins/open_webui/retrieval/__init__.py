"""Retrieval of Open WebUI."""
