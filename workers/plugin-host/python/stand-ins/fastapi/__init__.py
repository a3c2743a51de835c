"""Stands in for the parts of fastapi that plugins touch. An application of their own takes routes, and nobody can ask for them."""

from starlette import status
from starlette.background import BackgroundTasks
from starlette.datastructures import State, UploadFile

from .exceptions import HTTPException
from .params import Body, Cookie, Depends, File, Form, Header, Path, Query, Security
from .requests import Request
from .responses import Response

__version__ = "0.120.0"


class APIRouter:
    def __init__(self, *_args, **_options):
        pass

    def _take(self, *_args, **_options):
        return lambda function: function

    get = post = put = patch = delete = options = head = route = api_route = websocket = middleware = on_event = exception_handler = _take

    def add(self, *_args, **_options):
        pass

    mount = include_router = add_middleware = add_api_route = add_exception_handler = add


class FastAPI(APIRouter):
    def __init__(self, *_args, **_options):
        self.state = State()
