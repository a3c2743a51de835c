class Timeout:
    def __init__(self, timeout=5.0, *, connect=None, read=None, write=None, pool=None):
        if isinstance(timeout, Timeout):
            timeout = timeout.read
        if isinstance(timeout, tuple):
            connect, read = timeout[0], timeout[1]
            timeout = read
        self.connect = connect if connect is not None else timeout
        self.read = read if read is not None else timeout
        self.write = write if write is not None else timeout
        self.pool = pool if pool is not None else timeout


class Limits:
    """Connections are the host's."""

    def __init__(self, *, max_connections=None, max_keepalive_connections=None, keepalive_expiry=5.0):
        self.max_connections = max_connections


class HTTPTransport:
    def __init__(self, **options):
        self.options = options


class AsyncHTTPTransport(HTTPTransport):
    pass


class Proxy:
    def __init__(self, url, **_options):
        self.url = url


class BasicAuth:
    def __init__(self, username, password):
        self.pair = (username, password)
