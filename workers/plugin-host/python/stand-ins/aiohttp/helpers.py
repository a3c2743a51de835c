import base64
import dataclasses


@dataclasses.dataclass(frozen=True)
class ClientTimeout:
    total: float | None = None
    connect: float | None = None
    sock_read: float | None = None
    sock_connect: float | None = None
    ceil_threshold: float = 5


class TCPConnector:
    """Connections are the host's."""

    def __init__(self, **options):
        self.options = options
        self.closed = False

    async def close(self):
        self.closed = True


class CookieJar(dict):
    def __init__(self, **_options):
        super().__init__()

    def update_cookies(self, cookies, response_url=None):
        self.update(cookies)


class DummyCookieJar(CookieJar):
    def update_cookies(self, cookies, response_url=None):
        pass


class TraceConfig:
    def __init__(self, **_options):
        pass


class BasicAuth:
    def __init__(self, login, password="", encoding="latin1"):
        self.login = login
        self.password = password
        self.encoding = encoding

    def encode(self):
        pair = f"{self.login}:{self.password}".encode(self.encoding)
        return f"Basic {base64.b64encode(pair).decode()}"


class FormData:
    def __init__(self, fields=(), **_options):
        self.fields = []
        self.files = []
        for name, value in fields.items() if hasattr(fields, "items") else fields:
            self.add_field(name, value)

    def add_field(self, name, value, *, content_type=None, filename=None, content_transfer_encoding=None):
        if filename is None and content_type is None and not hasattr(value, "read") and not isinstance(value, bytes):
            self.fields.append((name, str(value)))
        else:
            self.files.append((name, (filename or getattr(value, "name", name), value, content_type)))
