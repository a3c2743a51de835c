from starlette.exceptions import HTTPException as _HTTPException


class HTTPException(_HTTPException):
    pass


class RequestValidationError(ValueError):
    def __init__(self, errors, *, body=None):
        super().__init__(errors)
        self._errors = errors
        self.body = body

    def errors(self):
        return self._errors
