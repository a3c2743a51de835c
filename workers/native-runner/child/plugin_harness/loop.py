"""The event loop of a native process: one for all calls, as at Open WebUI. Synchronous functions of a plugin run in threads, so what they wait
for holds nobody up; what the host answers comes in on a thread of its own."""

import asyncio
import concurrent.futures
import contextvars
import inspect
import threading

from .calls import CURRENT

# Synchronous functions that run at the same time.
_THREADS = 32


class HostError(Exception):
    """What the host says to a request of the plugin."""


class Loop(asyncio.SelectorEventLoop):
    def __init__(self):
        super().__init__()
        self._thread = threading.get_ident()
        self._threads = concurrent.futures.ThreadPoolExecutor(_THREADS, "plugin")
        self.set_default_executor(self._threads)
        self.set_task_factory(_make_task)

    @property
    def active(self):
        """The call that this code runs for: here, no code runs for another one."""
        return CURRENT.get()

    @active.setter
    def active(self, _call):
        """What the harness says where it begins a call."""

    def default_exception_handler(self, context):
        call = CURRENT.get()
        if call is not None:
            error = context.get("exception")
            text = context.get("message") or "Unhandled exception in a task"
            call.log("error", f"{text}: {type(error).__name__}: {error}" if error else text)

    def run_in_executor(self, executor, func, *args):
        if isinstance(executor, concurrent.futures.ProcessPoolExecutor):
            return super().run_in_executor(executor, func, *args)
        return super().run_in_executor(executor, contextvars.copy_context().run, func, *args)

    async def invoke(self, function, positional, named):
        """Calls a function of the plugin; in a thread where it would hold up the loop."""
        whole = inspect.unwrap(getattr(function, "__func__", function))
        if _never_blocks(whole) or _never_blocks(getattr(type(whole), "__call__", None)):
            return function(*positional, **named)
        context = contextvars.copy_context()
        return await super().run_in_executor(self._threads, lambda: context.run(function, *positional, **named))

    def wait_for(self, awaitable):
        """Waits inside of synchronous code: beside the loop, or in another one where this is its own thread."""
        if threading.get_ident() == self._thread:
            return _in_other_thread(awaitable)
        return asyncio.run_coroutine_threadsafe(_settle(awaitable), self).result()


def _never_blocks(function):
    return any(
        check(function) for check in (inspect.iscoroutinefunction, inspect.isasyncgenfunction, inspect.isgeneratorfunction)
    )


def _make_task(loop, coro, **options):
    context = options.get("context")
    call = context.get(CURRENT) if context is not None else CURRENT.get()
    if call is not None and call.ended:
        coro.close()
        raise RuntimeError("This call has ended, and so have its permissions")
    task = asyncio.Task(coro, loop=loop, **options)
    if call is not None:
        call.tasks.add(task)
        task.add_done_callback(call.tasks.discard)
    return task


async def _settle(awaitable):
    return await awaitable


def _in_other_thread(awaitable):
    """While the loop waits. What is awaited must not belong to it."""
    result = concurrent.futures.Future()
    context = contextvars.copy_context()

    def work():
        try:
            result.set_result(_native_run(_settle(awaitable)))
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=context.run, args=(work,), daemon=True).start()
    return result.result()


def _run(main, *, debug=None, loop_factory=None):
    """`asyncio.run` inside of a function that the loop itself runs."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _native_run(main)
    return _in_other_thread(main)


_native_run = asyncio.run
_native_start = threading.Thread.start
_native_submit = concurrent.futures.ThreadPoolExecutor.submit


def _start_thread(self):
    """What a thread prints and asks for belongs to the call that started it."""
    run, context = self.run, contextvars.copy_context()
    self.run = lambda: context.run(run)
    _native_start(self)


def _submit(self, fn, /, *args, **kwargs):
    return _native_submit(self, contextvars.copy_context().run, fn, *args, **kwargs)


def install():
    asyncio.run = _run
    threading.Thread.start = _start_thread
    concurrent.futures.ThreadPoolExecutor.submit = _submit
    asyncio.set_event_loop(LOOP)


LOOP = Loop()
