"""Stands in for cryptography: Fernet, hashes and two ways to derive keys, written in Python."""

__version__ = "46.0.0"
