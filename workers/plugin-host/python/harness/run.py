"""Calls a function of the plugin, and hands on what it returns or generates."""

import asyncio
import codecs
import contextvars
import inspect
import json

from . import databases, logs
from .calls import CURRENT, Call
from .capabilities import settle
from .describe import describe
from .failures import to_failure, to_text
from .loop import LOOP
from .one_load import OneLoad
from .parameters import bind, is_reserved
from .plugin import UNTOUCHED, load
from .specs import tool_methods
from .values import OUTPUT_LIMIT, OutputTooLong, to_base64, to_json

_HOOKS = {
    "pipe": {"pipe", "pipes"},
    "filter": {"inlet", "outlet", "stream"},
    "action": {"action"},
}

# Tasks that a function has left behind get this long where they may not go on after the answer, and so long to tidy up; seconds.
_GRACE = 0.5

# Behind the last value of a generator.
_END = object()

_source = {"code": "", "valves": {}}
_plugin = None
_one_load = OneLoad()


def configure(code, valves):
    """Once per isolate."""
    _source.update(code=code, valves=json.loads(valves))


def start(port, work):
    """Begins a call; its pump then calls `LOOP.drain` until `port.finish` was called. @param work JSON of an IsolateCall, or None: describe"""
    call = Call(port, is_description=work is None)
    context = contextvars.Context()
    context.run(CURRENT.set, call)
    LOOP.active = call
    call.main = LOOP.create_task(_main(call, work), context=context)
    return call


async def _main(call, work):
    try:
        if work is None:
            text = to_json(await describe(call, _source["code"]))
        else:
            text = await _answer(call, json.loads(work))
        if _rest_of(call):
            await _finish_rest(call, await _answer_at_once(call, text))
        await databases.save(call)
    except BaseException as error:
        text = _failed(to_failure(error))
    logs.flush(call)
    port = call.port
    call.end()
    port.finish(text)


async def _answer(call, work):
    try:
        await databases.refresh(call)
        plugin = await _get_plugin(call)
        value, streamed = await _call_function(call, plugin, work)
        return f'{{"ok":true,"streamed":{json.dumps(streamed)},"value":{to_json(value)}}}'
    except OutputTooLong as error:
        return _failed({"code": "output", "name": "OutputTooLong", "message": str(error)})
    except _Missing as error:
        return _failed({"code": "missing", "name": "AttributeError", "message": str(error)})
    except GeneratorExit:
        raise
    except BaseException as error:
        logs.flush(call)
        call.log("error", to_text(error))
        return _failed(to_failure(error))


def _failed(error):
    return to_json({"ok": False, "error": error})


async def _get_plugin(call):
    global _plugin
    if _plugin is None:
        await _one_load.enter(call)
        try:
            if _plugin is None:
                _plugin = load(call, _source["code"], _source["valves"])
        finally:
            _one_load.leave(call)
    call.valves = UNTOUCHED
    return _plugin


class _Missing(Exception):
    pass


async def _call_function(call, plugin, work):
    method = work["method"]
    allowed = _HOOKS.get(plugin.kind)
    function = getattr(plugin.instance, method, None)
    if allowed is None:
        # An instance may have more than its class, such as functions that it makes.
        allowed = {method} if not method.startswith("_") else set(tool_methods(plugin.cls))
    is_hidden = isinstance(function, type) or method not in allowed
    if is_hidden or function is None:
        raise _Missing(f"The plugin has no function {method}")
    if not callable(function):
        if method == "pipes":
            return function, False
        raise _Missing(f"{method} is not a function")
    reserved = {name: value for name, value in work["reserved"].items() if is_reserved(name)}
    body = work["args"].get("body")
    if isinstance(body, dict):
        reserved.setdefault("__body__", body)
        reserved.setdefault("__messages__", body.get("messages"))
    call.place = {name: reserved.get(f"__{name}__") for name in ("chat_id", "message_id", "session_id")}
    positional, named = bind(call, plugin, function, work["args"], reserved)
    value = await settle(await LOOP.invoke(function, positional, named))
    if value is None and plugin.kind == "filter" and method != "stream":
        # A filter that changed what it was given, and returned nothing. An event for which nothing is returned is dropped.
        value = next(iter(work["args"].values()), None)
    return await _deliver(call, plugin, value, work["wantsChunks"])


async def _deliver(call, plugin, value, wants_chunks):
    pieces = _pieces_of(value)
    if pieces is None:
        return await _from_response(call, plugin, value), False
    collected = []
    size = 0
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    try:
        async for piece in pieces:
            if isinstance(piece, (bytes, bytearray)):
                # What is sent on in blocks of bytes may be cut inside of a character.
                piece = decoder.decode(piece)
            if piece is None or piece == "":
                continue
            text = to_json(piece)
            if wants_chunks:
                await call.ask_host("chunk", text)
                continue
            size += len(text)
            if size > OUTPUT_LIMIT:
                raise OutputTooLong()
            collected.append(json.loads(text))
    finally:
        await pieces.aclose()
    return (None, True) if wants_chunks else (collected, False)


def _pieces_of(value):
    """An asynchronous generator of what a function generates, or None where it returned a plain value."""
    if inspect.isasyncgen(value):
        return value
    if hasattr(value, "body_iterator"):
        return _lines_of(value)
    if hasattr(value, "__aiter__"):
        return _from_async(value)
    if hasattr(value, "__next__"):
        return _from_sync(value)
    return None


async def _from_async(values):
    async for value in values:
        yield value


async def _from_sync(values):
    try:
        while (value := await LOOP.invoke(next, (values, _END), {})) is not _END:
            yield value
    finally:
        if hasattr(values, "close"):
            values.close()


async def _lines_of(response):
    """The body of a streaming response. Events come line by line, text as it comes; no character is cut in two."""
    if response.status_code >= 400:
        raise _StatusError(response.status_code, "The plugin answered with an error")
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    is_events = "event-stream" in (response.media_type or response.headers.get("content-type") or "")
    rest = ""
    iterator = response.body_iterator
    try:
        async for piece in iterator:
            text = piece if isinstance(piece, str) else decoder.decode(bytes(piece))
            if not is_events:
                if text:
                    yield text
                continue
            *lines, rest = (rest + text).split("\n")
            for line in lines:
                if line.strip():
                    yield line.strip("\r")
        rest += decoder.decode(b"", True)
        if rest.strip():
            yield rest
        background = getattr(response, "background", None)
        if background is not None:
            await background()
    finally:
        if hasattr(iterator, "aclose"):
            await iterator.aclose()


class _StatusError(Exception):
    def __init__(self, status_code, detail):
        super().__init__(detail)
        self.status_code = status_code
        self.detail = detail


_StatusError.__name__ = "HTTPException"


async def _from_response(call, plugin, value):
    """Responses become what stands in them; a tool's page is shown under the message."""
    context = None
    if isinstance(value, tuple) and len(value) == 2 and _is_response(value[0]):
        value, context = value
    if not _is_response(value):
        return value
    text = bytes(value.body).decode("utf-8", "replace")
    if value.status_code >= 400:
        raise _StatusError(value.status_code, text)
    media_type = value.media_type or value.headers.get("content-type") or ""
    if plugin.kind == "tools" and "html" in media_type and "inline" in value.headers.get("content-disposition", ""):
        await call.ask_host("emit", to_json({"type": "embeds", "data": {"embeds": [text]}}))
        return context or "The page is shown to the person."
    if context is not None:
        return context
    if "json" in media_type:
        return json.loads(text)
    return text if not media_type or media_type.startswith("text/") else to_base64(value.body)


def _is_response(value):
    return hasattr(value, "status_code") and hasattr(value, "media_type") and hasattr(value, "body")


def _rest_of(call):
    return {task for task in call.tasks if task is not asyncio.current_task()}


async def _answer_at_once(call, text):
    """@returns for how many seconds the tasks that are left may go on after the answer; 0: the answer waits for their end"""
    if call.is_description:
        return 0
    # What is ready now belongs before the answer.
    await asyncio.sleep(0)
    await databases.save(call)
    logs.flush(call)
    try:
        limit = int(await call.ask_host("rest", text)) / 1000
    except RuntimeError:
        return 0
    return max(limit - 2 * _GRACE, limit / 2)


async def _finish_rest(call, seconds):
    """Waits for the tasks that a function has left behind, and those that they leave behind; then ends them."""
    until = LOOP.time() + (seconds or _GRACE)
    late = _rest_of(call)
    try:
        while late and (left := until - LOOP.time()) > 0:
            await asyncio.wait(late, timeout=left)
            late = _rest_of(call)
    except asyncio.CancelledError:
        late = _rest_of(call)
    for task in late:
        task.cancel()
    if late:
        noun = "task or thread was" if len(late) == 1 else "tasks and threads were"
        call.log("warning", f"{len(late)} {noun} still running {seconds or _GRACE:g} s after the answer, and ended with the call")
        # Who waits for one of them from another call is to hear that it has ended.
        await asyncio.wait(late, timeout=_GRACE)
