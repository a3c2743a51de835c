from starlette.status import *
