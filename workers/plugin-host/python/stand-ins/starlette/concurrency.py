import asyncio


async def run_in_threadpool(func, *args, **kwargs):
    return await asyncio.to_thread(func, *args, **kwargs)


async def iterate_in_threadpool(iterator):
    for value in iterator:
        yield value
