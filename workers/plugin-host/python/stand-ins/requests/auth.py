import base64


class AuthBase:
    def __call__(self, request):
        raise NotImplementedError("Auth hooks must be callable.")


class HTTPBasicAuth(AuthBase):
    def __init__(self, username, password):
        self.username = username
        self.password = password

    def __call__(self, request):
        pair = f"{self.username}:{self.password}".encode()
        request.headers["Authorization"] = f"Basic {base64.b64encode(pair).decode()}"
        return request


class HTTPProxyAuth(HTTPBasicAuth):
    pass
