import http


class HTTPException(Exception):
    def __init__(self, status_code, detail=None, headers=None):
        self.status_code = status_code
        self.detail = detail if detail is not None else http.HTTPStatus(status_code).phrase
        self.headers = headers

    def __str__(self):
        return f"{self.status_code}: {self.detail}"

    def __repr__(self):
        return f"{type(self).__name__}(status_code={self.status_code!r}, detail={self.detail!r})"
