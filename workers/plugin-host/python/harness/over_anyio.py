"""anyio where there are no threads and no further interpreters."""

import asyncio


def fill_interpreters(module):
    """`anyio.to_interpreter`, which anyio imports with everything else."""

    async def run_sync(func, *args, limiter=None):
        raise NotImplementedError("Further interpreters are not available to plugins")

    def current_default_interpreter_limiter():
        raise NotImplementedError("Further interpreters are not available to plugins")

    module.run_sync = run_sync
    module.current_default_interpreter_limiter = current_default_interpreter_limiter


def change(module):
    """`anyio._backends._asyncio`: worker threads would wait for work without letting anybody else go on."""

    async def run_sync_in_worker_thread(cls, func, args, abandon_on_cancel=False, limiter=None):
        return await asyncio.to_thread(func, *args)

    module.AsyncIOBackend.run_sync_in_worker_thread = classmethod(run_sync_in_worker_thread)
