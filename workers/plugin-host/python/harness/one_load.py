"""The source is loaded once. Loading may take waiting, and who asks meanwhile would see modules that are half imported."""

from .loop import LOOP


class OneLoad:
    """A lock for calls: a load that fails, or whose call has ended before, leaves it to the next one."""

    def __init__(self):
        self._holder = None
        self._waiting = []

    async def enter(self, call):
        while self._holder is not None:
            turn = LOOP.create_future()
            self._waiting.append(turn)
            await turn
        self._holder = call
        # A call that is given up may never come back from where it waits.
        call.when_ended.append(lambda: self.leave(call))

    def leave(self, call):
        if self._holder is not call:
            return
        self._holder = None
        waiting, self._waiting = self._waiting, []
        for turn in waiting:
            if not turn.done():
                turn.set_result(None)
