"""Helpers that stand among the peer's routes."""
