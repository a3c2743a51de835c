"""What went wrong, in words and at a line of the plugin's own source."""

import traceback

FILENAME = "plugin.py"

# Of a traceback, so many innermost lines are told: of an endless recursion more would take seconds.
_FRAMES = 30


def line_of(error):
    """Line in the plugin's source where an exception came from, or None."""
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, SyntaxError) and error.filename == FILENAME:
            return error.lineno
        line = None
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == FILENAME:
                line = trace.tb_lineno
            trace = trace.tb_next
        if line is not None:
            return line
        error = error.__cause__ or error.__context__
    return None


def to_failure(error):
    """An IsolateFailure (isolate.ts)."""
    status = getattr(error, "status_code", None)
    detail = getattr(error, "detail", None)
    name = type(error).__name__
    message = str(detail) if status is not None and detail is not None else str(error)
    distribution = None
    if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("open_webui"):
        from .imports import distribution_of, where_to_get

        message += where_to_get(error.name)
        distribution = distribution_of(error.name)
    failure = {"code": "threw", "name": name, "message": message[:10_000] or name}
    if distribution is not None:
        failure["package"] = distribution
    line = line_of(error)
    if line is not None:
        failure["line"] = line
    if isinstance(status, int) and name == "HTTPException":
        failure["status"] = status
    return failure


def to_text(error):
    """The traceback from the plugin's first line on: what lies above is the harness."""
    summary = traceback.TracebackException.from_exception(error, limit=-_FRAMES)
    _trim(summary, set())
    return "".join(summary.format()).rstrip()


def _trim(summary, seen):
    if summary is None or id(summary) in seen:
        return
    seen.add(id(summary))
    for index, frame in enumerate(summary.stack):
        if frame.filename == FILENAME:
            del summary.stack[:index]
            break
    _trim(summary.__cause__, seen)
    _trim(summary.__context__, seen)
