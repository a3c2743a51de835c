"""One call of a plugin's function: what it may ask for, and that it may not ask once it has ended."""

import contextvars
import heapq
from collections import deque

CURRENT: contextvars.ContextVar = contextvars.ContextVar("plugin_call", default=None)

# Set in the context of a pause, and so in that of all that it waits for.
PAUSING: contextvars.ContextVar = contextvars.ContextVar("pausing", default=False)

# What one call may log before the rest is dropped; the host has limits of its own.
_LOG_ENTRIES = 1000
_LOG_LENGTH = 10_000


class Call:
    """Everything that belongs to one call. `port` is the JavaScript side, which knows the capabilities of the caller."""

    def __init__(self, port, is_description=False):
        self.port = port
        # A source is only looked at: nothing can be asked for.
        self.is_description = is_description
        self.ready = deque()
        self.timers = []
        self.runner = None
        self.tasks = set()
        self.ended = False
        # Whether it is loading the source.
        self.is_loading = False
        self.valves = None
        self.main = None
        self.gates = {}
        # Chat, message and session that it belongs to.
        self.place = {}
        self.is_cancelled = False
        # While an import pauses: what else is ready, and the timers of that.
        self.held = None
        # Called once when it ends, however it does.
        self.when_ended = []
        self._timer_count = 0
        self._logged = 0

    def add(self, handle):
        (self.held[0] if self._is_held(handle) else self.ready).append(handle)

    def add_timer(self, handle):
        self._timer_count += 1
        timers = self.held[1] if self._is_held(handle) else self.timers
        heapq.heappush(timers, (handle.when(), self._timer_count, handle))

    def _is_held(self, handle):
        return self.held is not None and not handle._context.get(PAUSING)

    def hold(self):
        """Nothing of it goes on but what PAUSING marks."""
        self.held = (self.ready, self.timers)
        self.ready, self.timers = deque(), []

    def let_go(self):
        left, timers = self.ready, self.timers
        (self.ready, self.timers), self.held = self.held, None
        self.ready.extend(left)
        for timer in timers:
            heapq.heappush(self.timers, timer)

    def check(self):
        """Capabilities serve the code of their own call, and only as long as it lasts."""
        if self.ended:
            raise RuntimeError("This call has ended, and so have its permissions")
        if CURRENT.get() is not self or not self.is_running():
            raise RuntimeError("This belongs to another call")

    def is_running(self):
        """Whether it is its own pump that runs this code, and not another call's that borrowed its context."""
        from .loop import LOOP

        return LOOP.active is self

    async def ask_host(self, method, *args):
        from .loop import HostError

        self.check()
        try:
            return await getattr(self.port, method)(*args)
        except HostError as error:
            raise RuntimeError(getattr(error, "message", None) or str(error)) from None

    def log(self, level, text):
        if self.ended or self._logged > _LOG_ENTRIES:
            return
        self._logged += 1
        if self._logged > _LOG_ENTRIES:
            level, text = "warning", "More output was dropped"
        self.port.log(level, text[:_LOG_LENGTH])

    def cancel(self):
        """The caller has let go: what is waited for is given up."""
        self.is_cancelled = True
        for gate in list(self.gates.values()):
            gate.open()
        if self.main is not None:
            self.main.cancel()

    def end(self):
        self.ended = True
        self.ready.clear()
        self.timers.clear()
        self.tasks.clear()
        ending, self.when_ended = self.when_ended, []
        for tell in ending:
            tell()


def current_call():
    """The call that this code runs for. Raises RuntimeError where there is none."""
    call = CURRENT.get()
    if call is None or call.ended:
        raise RuntimeError("This is only possible during a call of the plugin")
    return call
