import asyncio


class ClientError(Exception):
    pass


class ClientResponseError(ClientError):
    def __init__(self, request_info, history=(), *, status=0, message="", headers=None):
        super().__init__(request_info, history)
        self.request_info = request_info
        self.history = history
        self.status = self.code = status
        self.message = message
        self.headers = headers

    def __str__(self):
        return f"{self.status}, message={self.message!r}, url={str(getattr(self.request_info, 'real_url', ''))!r}"


class ContentTypeError(ClientResponseError):
    pass


class ClientConnectionError(ClientError):
    pass


class ClientOSError(ClientConnectionError, OSError):
    pass


class ClientConnectorError(ClientOSError):
    pass


class ClientPayloadError(ClientError):
    pass


class ServerConnectionError(ClientConnectionError):
    pass


class ServerDisconnectedError(ServerConnectionError):
    pass


class ServerTimeoutError(ServerConnectionError, asyncio.TimeoutError):
    pass


class ConnectionTimeoutError(ServerTimeoutError):
    pass


class SocketTimeoutError(ServerTimeoutError):
    pass


class InvalidURL(ClientError, ValueError):
    pass
