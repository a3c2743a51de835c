"""Stands in for the parts of fastapi that plugins touch. There is no application to add routes to."""

from starlette import status
from starlette.background import BackgroundTasks
from starlette.datastructures import UploadFile

from .exceptions import HTTPException
from .params import Body, Cookie, Depends, File, Form, Header, Path, Query, Security
from .requests import Request
from .responses import Response

__version__ = "0.120.0"
