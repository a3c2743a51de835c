"""Stands in for loguru: what is logged goes to the log of the call."""

import contextlib
import functools
import inspect
import traceback

from plugin_harness.logs import write

_LEVELS = {"TRACE": 5, "DEBUG": 10, "INFO": 20, "SUCCESS": 25, "WARNING": 30, "ERROR": 40, "CRITICAL": 50}


class _Level:
    def __init__(self, name, no, icon=""):
        self.name = name
        self.no = no
        self.icon = icon


class _Handler:
    """What others read of a sink that was added."""

    def __init__(self, sink, level, filter):
        self.levelno = self._levelno = level
        self._sink = sink
        self._filter = filter


class _Core:
    def __init__(self):
        self.handlers = {}
        self.count = 0


class Logger:
    _core = _Core()

    def __init__(self, extra=None, options=None):
        self._extra = extra or {}
        self._options = options or {}

    def bind(self, **extra):
        return Logger({**self._extra, **extra}, self._options)

    def opt(self, **options):
        return Logger(self._extra, {**self._options, **options})

    def patch(self, _patcher):
        return Logger(self._extra, self._options)

    @contextlib.contextmanager
    def contextualize(self, **_extra):
        yield

    def log(self, level, message, /, *args, **values):
        number = level if isinstance(level, int) else _LEVELS.get(str(level).upper(), 20)
        self._write(number, message, args, values)

    def trace(self, message, /, *args, **values):
        self._write(5, message, args, values)

    def debug(self, message, /, *args, **values):
        self._write(10, message, args, values)

    def info(self, message, /, *args, **values):
        self._write(20, message, args, values)

    def success(self, message, /, *args, **values):
        self._write(25, message, args, values)

    def warning(self, message, /, *args, **values):
        self._write(30, message, args, values)

    def error(self, message, /, *args, **values):
        self._write(40, message, args, values)

    def critical(self, message, /, *args, **values):
        self._write(50, message, args, values)

    def exception(self, message, /, *args, **values):
        self.opt(exception=True)._write(40, message, args, values)

    def _write(self, number, message, args, values):
        text = str(message)
        if self._options.get("lazy"):
            args = [each() for each in args]
            values = {name: each() for name, each in values.items()}
        if args or values:
            try:
                text = text.format(*args, **values)
            except (IndexError, KeyError, ValueError):
                # Braces of something else, such as JSON.
                text = " ".join([text, *(str(each) for each in args)])
        shown = self._options.get("exception")
        if shown:
            error = shown if isinstance(shown, BaseException) else None
            lines = traceback.format_exception(error) if error else traceback.format_exc().splitlines(keepends=True)
            text = f"{text}\n{''.join(lines).rstrip()}"
        _send(number, text)

    def catch(self, exception=Exception, *, level="ERROR", reraise=False, default=None, message="An error has been caught", **_options):
        if inspect.isfunction(exception):
            return self.catch()(exception)
        return _Catcher(self, exception, level, reraise, default, message)

    def level(self, name, no=None, color=None, icon=None):
        if no is not None:
            _LEVELS[name] = no
        return _Level(name, _LEVELS[name], icon or "")

    # Where logs go is not for plugins to say; what they ask for is taken and has no effect, but sinks that are functions are called.

    def add(self, sink, *, level="DEBUG", filter=None, **_options):
        core = self._core
        core.count += 1
        number = level if isinstance(level, int) else _LEVELS.get(level.upper(), 10)
        core.handlers[core.count] = _Handler(sink, number, filter)
        return core.count

    def remove(self, handler_id=None):
        handlers = self._core.handlers
        handlers.clear() if handler_id is None else handlers.pop(handler_id, None)

    def configure(self, **_options):
        return []

    def enable(self, name):
        pass

    def disable(self, name):
        pass

    def complete(self):
        return _nothing()


async def _nothing():
    pass


def _send(number, text):
    name = "error" if number >= 40 else "warning" if number >= 30 else "info" if number >= 20 else "debug"
    write(name, text)
    for handler in list(logger._core.handlers.values()):
        if callable(handler._sink) and number >= handler.levelno:
            handler._sink(text + "\n")


class _Catcher:
    def __init__(self, logger, exception, level, reraise, default, message):
        self._logger = logger
        self._exception = exception
        self._level = level
        self._reraise = reraise
        self._default = default
        self._message = message

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _trace):
        if kind is None or not issubclass(kind, self._exception):
            return False
        self._logger.opt(exception=error).log(self._level, self._message)
        return not self._reraise

    def __call__(self, function):
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def caught_async(*args, **kwargs):
                with self:
                    return await function(*args, **kwargs)
                return self._default

            return caught_async

        @functools.wraps(function)
        def caught(*args, **kwargs):
            with self:
                return function(*args, **kwargs)
            return self._default

        return caught


logger = Logger()
