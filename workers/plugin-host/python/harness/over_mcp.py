"""Names that the package mcp had before its second version, over those that it has now: most plugins import the old ones."""

import contextlib


def change_streamable_http(module):
    """`mcp.client.streamable_http`"""
    if hasattr(module, "streamablehttp_client"):
        return

    @contextlib.asynccontextmanager
    async def streamablehttp_client(
        url, headers=None, timeout=None, sse_read_timeout=None, terminate_on_close=True, httpx_client_factory=None, auth=None
    ):
        """Time limits are those of the package, whatever is given."""
        client = (httpx_client_factory or module.create_mcp_http_client)(headers=headers, auth=auth)
        async with (
            client,
            module.streamable_http_client(url, http_client=client, terminate_on_close=terminate_on_close) as (read, write),
        ):
            # Nobody is told the number of the session any more.
            yield read, write, lambda: None

    module.streamablehttp_client = streamablehttp_client
