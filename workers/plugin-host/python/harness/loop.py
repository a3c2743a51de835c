"""The event loop. Each call has a queue of its own, which its own JavaScript pump empties: what one call waits for is never waited
for in another one, and ends with it. Synchronous code may wait too: its stack is put aside (JSPI) while others run."""

import asyncio
import contextvars
import heapq
import queue
import threading
import time
import concurrent.futures
import concurrent.futures.thread
from functools import partial

from pyodide.ffi import JsException as HostError  # noqa: F401 (what calls.py expects of a port)
from pyodide.ffi import can_run_sync, run_sync
from pyodide.webloop import WebLoop, WebLoopPolicy

from .calls import CURRENT, PAUSING

# Seconds in which the process comes to what else it has to do.
_PAUSE = 0.001


class Loop(WebLoop):
    def __init__(self):
        super().__init__()
        # Whose queue is being emptied: callbacks that belong to no call are done there.
        self.active = None

    # Scheduling

    def call_soon(self, callback, *args, context=None):
        handle = asyncio.Handle(callback, args, self, context=context)
        call = self._owner(handle)
        if call is not None:
            call.add(handle)
            if call.runner is None:
                call.port.signal()
        return handle

    def call_later(self, delay, callback, *args, context=None):
        return self.call_at(self.time() + max(0, delay), callback, *args, context=context)

    def call_at(self, when, callback, *args, context=None):
        handle = asyncio.TimerHandle(when, callback, args, self, context=context)
        call = self._owner(handle)
        if call is not None and when != float("inf"):
            call.add_timer(handle)
            if call.runner is None:
                call.port.signal()
        return handle

    def _owner(self, handle):
        call = handle._context.get(CURRENT) or self.active
        return None if call is None or call.ended else call

    def create_task(self, coro, **kwargs):
        call = (kwargs.get("context") or contextvars.copy_context()).get(CURRENT)
        if call is not None and (call.ended or call is not self.active):
            coro.close()
            raise RuntimeError("Tasks must be started in the call that they belong to")
        task = super().create_task(coro, **kwargs)
        if call is not None:
            call.tasks.add(task)
            task.add_done_callback(call.tasks.discard)
        return task

    def default_exception_handler(self, context):
        call = CURRENT.get() or self.active
        if call is not None:
            error = context.get("exception")
            text = context.get("message") or "Unhandled exception in a task"
            call.log("error", f"{text}: {type(error).__name__}: {error}" if error else text)

    # Running

    def drain(self, call):
        """Does what is ready now; called by the pump of the call, on a stack that may be put aside."""
        if call.ended:
            return
        self._install_running_loop()
        self._install_asyncgen_hooks()
        me = call.runner = object()
        self.active = call
        now = self.time()
        while call.timers and (call.timers[0][0] <= now or call.timers[0][2].cancelled()):
            handle = heapq.heappop(call.timers)[2]
            if not handle.cancelled():
                call.ready.append(handle)
        for _ in range(len(call.ready)):
            if not call.ready:
                break
            handle = call.ready.popleft()
            if handle.cancelled():
                continue
            try:
                handle._run()
            except (SystemExit, KeyboardInterrupt):
                # The task holds the error: the code that awaits the task gets it.
                pass
            if call.ended:
                return
            if call.runner is not me:
                # It waited, and another stack does what is ready meanwhile.
                call.port.signal()
                return
        call.runner = None
        call.port.yielded(self._next_delay(call))

    def _next_delay(self, call):
        """Milliseconds until the next timer; -1 if only a signal can wake the loop."""
        if call.ready:
            return 0
        while call.timers and call.timers[0][2].cancelled():
            heapq.heappop(call.timers)
        if not call.timers:
            return -1
        return max(1, (call.timers[0][0] - self.time()) * 1000)

    def wait_for(self, awaitable):
        """Waits inside of synchronous code. Other calls, and other tasks of this one, go on meanwhile."""
        future = asyncio.ensure_future(awaitable, loop=self)
        call = CURRENT.get() or self.active
        if not future.done():
            if call is None or call.ended or not can_run_sync():
                future.cancel()
                raise RuntimeError("Blocking calls are not possible here: use `await`")
            gate = call.port.gate()
            future.add_done_callback(lambda _: gate.open())
            call.gates[id(gate)] = gate
            call.runner = None
            call.port.yielded(self._next_delay(call))
            run_sync(gate.promise)
            call.gates.pop(id(gate), None)
            self.active = call
            if call.is_cancelled and not future.done():
                future.cancel()
                raise asyncio.CancelledError()
        return future.result()

    def pause(self):
        """Lets the process show that it is alive. Other calls go on meanwhile, but nothing else of this one."""
        call = self.active
        if call.ended or call.held or not can_run_sync():
            return
        was_cancelled = call.is_cancelled
        call.hold()
        token = PAUSING.set(True)
        try:
            self.wait_for(asyncio.sleep(_PAUSE))
        finally:
            PAUSING.reset(token)
            call.let_go()
        if call.is_cancelled and not was_cancelled:
            raise asyncio.CancelledError()

    async def invoke(self, function, positional, named):
        """Calls a function of the plugin. One that waits puts its stack aside."""
        return function(*positional, **named)

    async def create_connection(self, protocol_factory, host=None, port=None, **options):
        from .web_sockets import create_connection

        return await create_connection(protocol_factory, host, port, **options)

    def run_until_complete(self, future):
        return self.wait_for(future)

    def run_in_executor(self, executor, func, *args):
        if isinstance(executor, concurrent.futures.Executor):
            return asyncio.wrap_future(executor.submit(func, *args), loop=self)
        return self.create_task(_run_function(func, args, {}))


async def _run_function(func, args, kwargs):
    return func(*args, **kwargs)


class _Policy(WebLoopPolicy):
    """There is one loop, also for those who ask for a new one."""

    def get_event_loop(self):
        return LOOP

    def new_event_loop(self):
        return LOOP


LOOP = Loop()


class TaskExecutor(concurrent.futures.Executor):
    """Stands in for pools of threads: each function runs on a stack of its own, and others go on while it waits."""

    def __init__(self, max_workers=None, *_args, initializer=None, initargs=(), **_kwargs):
        self._limit = asyncio.Semaphore(max_workers or 32)
        self._shut = False
        self._futures = set()
        if initializer is not None:
            initializer(*initargs)

    def submit(self, fn, /, *args, **kwargs):
        if self._shut:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = _TaskFuture()

        async def work():
            async with self._limit:
                if not future.set_running_or_notify_cancel():
                    return
                try:
                    future.set_result(fn(*args, **kwargs))
                except BaseException as error:
                    future.set_exception(error)

        future.task = LOOP.create_task(work())
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._shut = True
        for future in list(self._futures):
            if cancel_futures:
                future.cancel()
            elif wait:
                LOOP.wait_for(future.task)


class _TaskFuture(concurrent.futures.Future):
    task = None

    def result(self, timeout=None):
        self._wait(timeout)
        return super().result(0)

    def exception(self, timeout=None):
        self._wait(timeout)
        return super().exception(0)

    def _wait(self, timeout):
        if not self.done():
            LOOP.wait_for(asyncio.wait([self.task], timeout=timeout))
            if not self.done():
                raise TimeoutError()


def _as_completed(futures, timeout=None):
    pending = set(futures)
    while pending:
        done = {future for future in pending if future.done()}
        if not done:
            waiting = asyncio.wait(
                [future.task for future in pending], timeout=timeout, return_when=asyncio.FIRST_COMPLETED
            )
            if not LOOP.wait_for(waiting)[0]:
                raise TimeoutError(f"{len(pending)} futures unfinished")
            continue
        pending -= done
        yield from done


def _wait_all(futures, timeout=None, return_when=concurrent.futures.ALL_COMPLETED):
    tasks = {future.task: future for future in futures}
    if tasks:
        LOOP.wait_for(asyncio.wait(list(tasks), timeout=timeout, return_when=return_when))
    done = {future for future in tasks.values() if future.done()}
    return concurrent.futures._base.DoneAndNotDoneFutures(done, set(tasks.values()) - done)


def _start_thread(self):
    if self._started.is_set():
        raise RuntimeError("threads can only be started once")
    self._started.set()
    context = contextvars.copy_context()
    self._parley_task = LOOP.create_task(_run_function(self.run, (), {}), context=context)


def _join_thread(self, timeout=None):
    task = getattr(self, "_parley_task", None)
    if task is None:
        raise RuntimeError("cannot join thread before it is started")
    if not task.done():
        LOOP.wait_for(asyncio.wait([task], timeout=timeout))


def _thread_is_alive(self):
    task = getattr(self, "_parley_task", None)
    return task is not None and not task.done()


class _Waiter:
    """In place of the lock that a Condition lets each waiting thread wait for."""

    def __init__(self):
        self.future = LOOP.create_future()

    def release(self):
        if self.future.done():
            raise RuntimeError("release unlocked lock")
        self.future.set_result(True)


def _wait_for_condition(self, timeout=None):
    """`threading.Condition.wait`, and so that of events and queues: others go on meanwhile."""
    if not self._is_owned():
        raise RuntimeError("cannot wait on un-acquired lock")
    waiter = _Waiter()
    self._waiters.append(waiter)
    saved = self._release_save()
    try:
        LOOP.wait_for(asyncio.wait([waiter.future], timeout=timeout))
        return waiter.future.done()
    finally:
        self._acquire_restore(saved)
        if not waiter.future.done() and waiter in self._waiters:
            self._waiters.remove(waiter)


async def _to_thread(func, /, *args, **kwargs):
    return await LOOP.create_task(_run_function(partial(contextvars.copy_context().run, func), args, kwargs))


def _run(main, *, debug=None, loop_factory=None):
    return LOOP.wait_for(main)


_native_sleep = time.sleep


def _sleep(seconds):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    if CURRENT.get() is None or not can_run_sync():
        raise RuntimeError("Blocking calls are not possible here")
    LOOP.wait_for(asyncio.sleep(seconds))


def install():
    """Makes what waits and what starts threads use the loop."""
    policy = _Policy()
    policy.set_event_loop(LOOP)
    asyncio.set_event_loop_policy(policy)
    asyncio._set_running_loop(LOOP)
    asyncio.run = _run
    asyncio.new_event_loop = asyncio.events.new_event_loop = lambda: LOOP
    asyncio.to_thread = asyncio.threads.to_thread = _to_thread
    asyncio.run_coroutine_threadsafe = _run_coroutine_threadsafe
    time.sleep = _sleep
    concurrent.futures.ThreadPoolExecutor = TaskExecutor
    concurrent.futures.thread.ThreadPoolExecutor = TaskExecutor
    concurrent.futures.as_completed = _as_completed
    concurrent.futures.wait = _wait_all
    threading.Condition.wait = _wait_for_condition
    # The one in C waits where no other call could go on.
    queue.SimpleQueue = queue._PySimpleQueue
    threading.Thread.start = _start_thread
    threading.Thread.join = _join_thread
    threading.Thread.is_alive = _thread_is_alive


def _run_coroutine_threadsafe(coro, loop=None):
    future = _TaskFuture()

    async def work():
        try:
            future.set_result(await coro)
        except BaseException as error:
            future.set_exception(error)

    future.task = LOOP.create_task(work())
    return future
