"""Helpers that stand among Open WebUI's routes."""
