"""What a plugin prints and logs goes to the log of its call."""

import io
import logging
import sys
import warnings

from .calls import CURRENT


def write(level, text):
    call = CURRENT.get()
    if call is not None and text:
        call.log(level, text)


class _Stream(io.TextIOBase):
    """Standard output by lines. What two calls print at the same time is kept apart."""

    encoding = "utf-8"

    def __init__(self, level):
        self._level = level

    def writable(self):
        return True

    def write(self, text):
        call = CURRENT.get()
        if call is None:
            return len(text)
        rests = call.__dict__.setdefault("printed", {})
        *lines, rest = (rests.get(self._level, "") + text).split("\n")
        for line in lines:
            call.log(self._level, line)
        rests[self._level] = rest
        return len(text)

    def flush(self):
        pass


def flush(call):
    for level, rest in call.__dict__.get("printed", {}).items():
        if rest:
            call.log(level, rest)


class _Handler(logging.Handler):
    def emit(self, record):
        try:
            write(level_name(record.levelno), self.format(record))
        except Exception as error:
            write("error", f"A log entry could not be formatted: {error}")


def level_name(number):
    if number >= logging.ERROR:
        return "error"
    if number >= logging.WARNING:
        return "warning"
    return "info" if number >= logging.INFO else "debug"


def install():
    sys.stdout = sys.__stdout__ = _Stream("info")
    sys.stderr = sys.__stderr__ = _Stream("warning")
    handler = _Handler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    logging.lastResort = None
    logging.captureWarnings(True)
    warnings.simplefilter("default")
    logging.raiseExceptions = False
