"""SQLite files of the plugin below the folder for data. The service keeps them (src/plugins/databases): they are fetched when they are
opened, looked after when a call begins, and stored before it ends. So what a call has answered is there."""

import os
import urllib.parse
import uuid
import zlib

from .calls import CURRENT
from .capabilities import request
from .loop import LOOP
from .surroundings import DATA_FOLDER
from .values import from_base64, to_base64

_connect = None
_kept = {}
_isolate = {"writer": None, "serial": 0}

# Bytes of the header that every committed change moves, and those that name the version that made it (sqlite.org/fileformat2.html).
_COUNTER = slice(24, 28)
_COUNTER_COPY = slice(92, 96)
_IS_WAL = 18


class _Kept:
    def __init__(self, name):
        self.name = name
        # Of what the service has; 0: nothing.
        self.version = 0
        # What the file was like then.
        self.state = None
        # Somebody else has saved: what is here cannot be stored any more.
        self.is_lost = False


def change(module):
    """`sqlite3.dbapi2`"""
    global _connect
    _connect = module.connect

    def connect(database, *args, **kwargs):
        path = _path_of(database, kwargs.get("uri", False))
        call = CURRENT.get()
        if path is not None and path not in _kept and call is not None and not call.ended and not call.is_description:
            LOOP.wait_for(_fetch(call, path))
        return _connect(database, *args, **kwargs)

    module.connect = connect


def install():
    """Where modules are not changed as they are imported: the native runner."""
    try:
        import sqlite3
    except ImportError:
        return
    change(sqlite3.dbapi2)
    sqlite3.connect = sqlite3.dbapi2.connect


def _path_of(database, is_uri):
    """The path of a file that is kept; None for others and those in memory."""
    if isinstance(database, bytes):
        database = os.fsdecode(database)
    if not isinstance(database, (str, os.PathLike)):
        return None
    path = os.fspath(database)
    if is_uri and path.startswith("file:"):
        path = urllib.parse.unquote(urllib.parse.urlsplit(path).path)
    if path == "" or path.startswith(":"):
        return None
    path = os.path.realpath(path)
    return path if path.startswith(os.path.realpath(DATA_FOLDER) + os.sep) else None


async def _fetch(call, path):
    name = os.path.relpath(path, os.path.realpath(DATA_FOLDER)).replace(os.sep, "/")
    found = await request(call, "database.load", path=name)
    # Another call may have been faster.
    if path in _kept:
        return
    kept = _Kept(name)
    if found is not None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(zlib.decompress(from_base64(found["base64"])))
        kept.version = found["version"]
        kept.state = _state_of(path)
    _kept[path] = kept


async def refresh(call):
    """At the beginning of a call: other isolates may have stored something. Costs nothing where no database was opened."""
    if not _kept:
        return
    stored = {each["path"]: each for each in await request(call, "database.list")}
    for path, kept in list(_kept.items()):
        row = stored.get(kept.name)
        is_own = row is not None and row["writer"] == _isolate["writer"]
        if not kept.is_lost and (is_own or (row["version"] if row else 0) == kept.version):
            if is_own:
                kept.version = row["version"]
            continue
        found = None if row is None else await request(call, "database.load", path=kept.name)
        data = b"" if found is None else zlib.decompress(from_base64(found["base64"]))
        if _replace(path, data):
            kept.version = 0 if found is None else found["version"]
            kept.state = _state_of(path)
            kept.is_lost = False


async def save(call):
    """At the end of a call. Raises RuntimeError with what the service says where something cannot be stored."""
    for path, kept in list(_kept.items()):
        if not os.path.exists(path):
            if kept.version:
                await request(call, "database.delete", path=kept.name)
                kept.version, kept.state = 0, None
            continue
        state = _state_of(path)
        if state == kept.state or state is None:
            continue
        data = _read(path)
        if data is None:
            # Another call is in the middle of a change: its end stores this one too.
            call.log("warning", f"The database {kept.name} was busy at the end of the call, so its changes are stored later")
            continue
        await _store(call, kept, data, state)


async def _store(call, kept, data, state):
    from .loop import HostError

    if _isolate["writer"] is None:
        # Not before: all isolates come from one snapshot.
        _isolate["writer"] = str(uuid.uuid4())
    _isolate["serial"] += 1
    packed = to_base64(zlib.compress(data, 1))
    try:
        saved = await request(
            call,
            "database.save",
            path=kept.name,
            base=kept.version,
            writer=_isolate["writer"],
            serial=_isolate["serial"],
            base64=packed,
        )
    except (RuntimeError, HostError) as error:
        kept.is_lost = True
        raise RuntimeError(f"What this call wrote to {kept.name} is not kept: {error}") from None
    kept.state = state
    if saved["version"] is None:
        call.log("warning", f"Changes of the database {kept.name} are not kept in a test run")
    else:
        kept.version = max(kept.version, saved["version"])


def _state_of(path):
    """Something that every change makes different; None for a file without anything in it."""
    size = os.path.getsize(path)
    if size == 0:
        return None
    with open(path, "rb") as file:
        head = file.read(100)
    if len(head) > _IS_WAL and head[_IS_WAL] == 2:
        # Changes lie beside the file: what they come to is compared as a whole.
        data = _read(path)
        return None if data is None else zlib.crc32(data)
    return size, head[_COUNTER], head[_COUNTER_COPY]


def _read(path):
    """The file as of its last commit; None while somebody writes it."""
    import sqlite3

    connection = _connect(path, timeout=0, isolation_level=None)
    try:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        return connection.serialize()
    except sqlite3.OperationalError:
        return None
    finally:
        connection.close()


def _replace(path, data):
    """Puts other contents in the file, also below open connections. @returns whether it could"""
    import sqlite3

    os.makedirs(os.path.dirname(path), exist_ok=True)
    connection = _connect(path, timeout=0, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        with open(path, "r+b") as file:
            head = file.read(100)
            data = bytearray(data)
            if len(data) >= 100:
                # Connections look at the counter to learn that what they remember is old.
                counter = (1 + max(_number(head[_COUNTER]), _number(data[_COUNTER]))) & 0xFFFFFFFF
                data[_COUNTER] = data[_COUNTER_COPY] = counter.to_bytes(4)
            file.seek(0)
            file.write(data)
            file.truncate()
        return True
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()


def _number(data):
    return int.from_bytes(data)
