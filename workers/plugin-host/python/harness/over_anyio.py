"""anyio's worker threads, which would wait for their work without letting anybody else go on."""

import asyncio


def change(module):
    async def run_sync_in_worker_thread(cls, func, args, abandon_on_cancel=False, limiter=None):
        return await asyncio.to_thread(func, *args)

    module.AsyncIOBackend.run_sync_in_worker_thread = classmethod(run_sync_in_worker_thread)
