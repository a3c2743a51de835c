from starlette.requests import HTTPConnection, Request

__all__ = ["HTTPConnection", "Request"]
