class HTTPError(Exception):
    pass


class HTTPWarning(Warning):
    pass


class InsecureRequestWarning(HTTPWarning):
    pass


class MaxRetryError(HTTPError):
    pass


class TimeoutError(HTTPError):
    pass
