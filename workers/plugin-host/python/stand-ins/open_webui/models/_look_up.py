from plugin_harness import plugin
from plugin_harness.calls import current_call
from plugin_harness.capabilities import request
from plugin_harness.loop import LOOP
from plugin_harness.values import StandsFor
from pydantic import BaseModel, ConfigDict


class Now:
    """Lets `await` stand before what is there already: some versions of Open WebUI want it, others must not have it."""

    # `asyncio.gather` puts what it waits for into a dict first.
    __hash__ = object.__hash__

    def __await__(self):
        return self
        yield


class NowList(Now, list):
    pass


class NowDict(Now, dict):
    pass


class _NowWord(StandsFor, Now):
    def __await__(self):
        return self.value
        yield


class _NowInt(Now, int):
    pass


class _NowStr(Now, str):
    pass


class Meta(BaseModel):
    """What Open WebUI has as an object, and older plugins read as a dict."""

    model_config = ConfigDict(extra="allow", protected_namespaces=())

    def get(self, key, default=None):
        return getattr(self, key, default)

    def __getitem__(self, key):
        try:
            return getattr(self, key)
        except AttributeError:
            raise KeyError(key) from None

    def __contains__(self, key):
        return hasattr(self, key)


class Table:
    """Where the source awaits what tables answer, all that they answer can be awaited."""

    def __getattribute__(self, name):
        found = super().__getattribute__(name)
        if name.startswith("_") or not callable(found) or not plugin.awaits_tables():
            return found
        return lambda *args, **kwargs: _awaitable(found(*args, **kwargs))


def _awaitable(value):
    if value is None or isinstance(value, bool):
        return _NowWord(value)
    if isinstance(value, int):
        return _NowInt(value)
    return _NowStr(value) if isinstance(value, str) and not isinstance(value, Now) else value


def look_up(right, /, **args):
    """What the caller has the right to see. Raises RuntimeError with what the service says."""
    return LOOP.wait_for(request(current_call(), right, **args))


def find(right, /, **args):
    """The same; None where there is nothing that the caller may see."""
    try:
        return look_up(right, **args)
    except RuntimeError as error:
        if "wait" in str(error):
            raise
        return None


def own_valves(family, id):
    found = look_up("plugin.valves", family=family, id=id)
    return None if found is None else NowDict(found)


def own_user_valves(family, id, user_id):
    found = look_up("plugin.user_valves", family=family, id=id, user_id=user_id)
    return None if found is None else NowDict(found)
