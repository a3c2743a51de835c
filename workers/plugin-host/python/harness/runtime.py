"""What JavaScript calls: set up once when the snapshot is made, and once more in each isolate made from it."""

import importlib
import os
import random
import sys

from . import finder, logs, loop, pauses, urlopen
from .loop import LOOP
from .surroundings import DATA_FOLDER, UPLOADED

# Imported into the snapshot, so that no isolate has to read them again.
_COMMON = (
    "ast asyncio base64 collections concurrent.futures contextlib copy csv dataclasses datetime decimal difflib email.message enum "
    "fnmatch functools hashlib heapq hmac html html.parser http.cookies importlib.metadata inspect io itertools json linecache "
    "logging math mimetypes operator os pathlib pprint queue random re secrets shutil string tempfile textwrap threading time "
    "traceback types typing unicodedata urllib.parse urllib.request urllib.error uuid warnings xml.etree.ElementTree zipfile "
    "zoneinfo"
).split()
# Of what is built in, that which many plugins use; the rest is imported where it is used.
_OFFERED = (
    "pydantic pydantic.fields pydantic.json_schema pydantic.type_adapter pydantic.networks typing_extensions httpx requests aiohttp loguru "
    "fastapi fastapi.responses starlette.requests starlette.responses cryptography.fernet open_webui.env open_webui.models.users "
    "open_webui.models.chats open_webui.utils.chat open_webui.utils.misc open_webui.routers.files open_webui.storage.provider "
    "open_webui.models.memories open_webui.models.models"
).split()


# Where plugins written for Open WebUI put files; `open_webui.config` names them.
_FOLDERS = (f"{DATA_FOLDER}/uploads", f"{DATA_FOLDER}/cache")


def install(modules, libraries, data, versions):
    """First of all, for the snapshot. Everything comes in files: the snapshot has none of them.

    @param modules name of each built-in module -> [file with what pack.py made of it, whether it is a package]
    @param libraries name of each module that is a compiled library -> its file
    @param data path of each other file of a package -> file with its bytes, packed with zlib
    @param versions of the real packages
    """
    codes = {name: (_read(file), is_package) for name, (file, is_package) in modules.items()}
    finder.install(codes, dict(libraries), {path: _read(file) for path, file in data.items()}, dict(versions))


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def prepare():
    """For the snapshot: imports what plugins need, once for all of them."""
    for name in _COMMON:
        importlib.import_module(name)
    loop.install()
    urlopen.install()
    for name in _OFFERED:
        importlib.import_module(name)
    from . import describe, run  # noqa: F401

    _warm_up()
    logs.install()
    pauses.install()


def _warm_up():
    """The first model of pydantic imports much that the next ones find."""
    from pydantic import BaseModel, Field

    class Model(BaseModel):
        name: str = Field("", description="")

    Model.model_validate({"name": "a"}).model_dump_json()
    Model.model_json_schema()


def wake(code, valves, uploaded):
    """In a fresh isolate. @param uploaded names of modules of uploaded packages, which lie in UPLOADED"""
    from .run import configure

    # All isolates come from one snapshot: without this they would all draw the same numbers.
    random.seed()
    uploaded = set(uploaded)
    if uploaded:
        sys.path.insert(0, UPLOADED)
        finder.STAND_INS.make_room(uploaded)
    # The snapshot has no files.
    for folder in _FOLDERS:
        os.makedirs(folder, exist_ok=True)
    import certifi

    # requests has looked it up in the snapshot, and asks whether it is there.
    certifi.where()
    _forget_javascript()
    configure(code, valves)


def _forget_javascript():
    """What is reachable from Python through these is of no use to a plugin, and so it is not there."""
    from _pyodide._importhook import jsfinder

    for name in ("js", "pyodide_js"):
        jsfinder.jsproxies.pop(name, None)
    for name in list(sys.modules):
        if name.partition(".")[0] in ("js", "pyodide_js"):
            del sys.modules[name]
        elif name.partition(".")[0] in ("pyodide", "_pyodide"):
            module = sys.modules[name]
            for attribute in [key for key, value in vars(module).items() if type(value).__name__ == "JsProxy"]:
                delattr(module, attribute)


def start(port, work):
    from .run import start as begin

    return begin(port, work)


def drain(call):
    LOOP.drain(call)


def cancel(call):
    call.cancel()


def abandon(call):
    """A call that would not end by itself: nothing of it runs any more."""
    call.end()
