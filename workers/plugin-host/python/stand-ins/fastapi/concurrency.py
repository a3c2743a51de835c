from starlette.concurrency import iterate_in_threadpool, run_in_threadpool

__all__ = ["iterate_in_threadpool", "run_in_threadpool"]
