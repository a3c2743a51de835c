"""What a call may do beyond computing, made from the bridge to the host. Everything here belongs to one call."""

import collections.abc
import inspect
import json
import urllib.parse

from .values import to_json


def make_event_emitter(running):
    # Some plugins read it from what this function closes over, and some of them from the first of that, in the order of the alphabet.
    request_info = running.place

    async def event_emitter(event):
        if isinstance(event, dict) and not event.get("type"):
            # At Open WebUI nobody takes notice of it.
            running.log("warning", f"An event without a type was dropped, at message {request_info.get('message_id')}")
            return
        await running.ask_host("emit", to_json(event))

    return event_emitter


def make_event_call(call):
    async def event_call(event):
        return json.loads(await call.ask_host("call", to_json(event)))

    return event_call


async def request(call, right, /, **args):
    """One of the caller's rights (src/plugins/capabilities.ts), by name. Raises RuntimeError with what the host says."""
    return json.loads(await call.ask_host("request", right, to_json(args)))


def make_tools(call, given):
    """The tools of the turn as plugins know them: name -> {callable, spec, …}."""
    if isinstance(given, list):
        given = {_name_of(each): each for each in given}
    return {name: _make_tool(call, name, each) for name, each in given.items()}


def _name_of(tool):
    spec = tool.get("spec") or tool.get("function") or tool
    return spec["name"]


def _make_tool(call, name, given):
    spec = given.get("spec") or given.get("function") or given
    properties = list((spec.get("parameters") or {}).get("properties") or {})

    async def tool(*args, **kwargs):
        arguments = {**dict(zip(properties, args, strict=False)), **kwargs}
        return await request(call, "tool.call", name=name, args=arguments)

    tool.__name__ = name
    tool.__doc__ = spec.get("description")
    return {**(given if spec is not given else {}), "spec": spec, "callable": tool}


async def settle(value):
    while inspect.isawaitable(value):
        value = await value
    return value


class _State:
    """What Open WebUI keeps at its application and a sandbox has nothing of."""

    def __init__(self, path, values=()):
        self.__dict__.update(values)
        self._path = path

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "_state":
            return {key: value for key, value in vars(self).items() if key != "_path"}
        raise AttributeError(f"{self._path}.{name} is not available to plugins")


# Addresses that plugins make of the names of Open WebUI's routes.
_PATHS = {
    "get_file_by_id": "/api/v1/files/{id}",
    "get_file_content_by_id": "/api/v1/files/{id}/content",
    "get_html_file_content_by_id": "/api/v1/files/{id}/content",
}


class _Models(collections.abc.Mapping):
    """Models that the caller may use, by id; asked for when somebody looks."""

    def __init__(self):
        self._found = None

    def _all(self):
        if self._found is None:
            from .calls import current_call
            from .loop import LOOP

            models = LOOP.wait_for(request(current_call(), "model.list"))
            self._found = {each["id"]: each for each in models}
        return self._found

    def __getitem__(self, id):
        return self._all()[id]

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return len(self._all())


class Application:
    def __init__(self, origin=""):
        config = _State("request.app.state.config", {"WEBUI_URL": origin, "WEBUI_NAME": "Parley"})
        self.state = _State("request.app.state", {"config": config, "MODELS": _Models()})

    def url_path_for(self, name, /, **values):
        path = _PATHS.get(name)
        if path is None:
            raise LookupError(f"The address of {name} is not available to plugins")
        return path.format(**{key: urllib.parse.quote(str(value), safe="") for key, value in values.items()})

    def __getattr__(self, name):
        raise AttributeError(f"request.app.{name} is not available to plugins")


def make_request(given):
    """`__request__`: the request that the call belongs to, without its credentials. None of it can be answered with."""
    from starlette.datastructures import State
    from starlette.requests import Request

    class RequestState(State):
        def __getattr__(self, name):
            if name == "_state":
                return vars(self)
            raise AttributeError(f"request.state.{name} is not available to plugins")

    given = given or {}
    url = urllib.parse.urlsplit(given.get("url") or "http://localhost/")
    body = given.get("body")
    content = b"" if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
    headers = {**(given.get("headers") or {})}
    headers.setdefault("host", url.netloc)
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": given.get("method") or "POST",
        "scheme": url.scheme or "http",
        "path": url.path or "/",
        "raw_path": (url.path or "/").encode(),
        "query_string": url.query.encode(),
        "root_path": "",
        "headers": [(key.lower().encode("latin-1"), str(value).encode("latin-1", "replace")) for key, value in headers.items()],
        "server": (url.hostname or "localhost", url.port),
        "client": (given.get("client") or "", 0),
        "path_params": {},
        "state": RequestState(),
        "app": Application(f"{url.scheme or 'http'}://{url.netloc}"),
    }
    messages = iter([{"type": "http.request", "body": content, "more_body": False}])

    async def receive():
        return next(messages, {"type": "http.disconnect"})

    return Request(scope, receive)
