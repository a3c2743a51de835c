"""Stands in for the parts of starlette that plugins touch: requests and responses as values."""

__version__ = "0.48.0"
