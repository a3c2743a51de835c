import inspect
import json

from plugin_harness.calls import current_call
from plugin_harness.capabilities import request as ask
from plugin_harness.loop import LOOP
from plugin_harness.values import to_base64

from ..models.files import FileModelResponse


def upload_file(request=None, file=None, metadata=None, process=True, user=None, **_options):
    """Keeps a file of the plugin's with the chat. What comes back may be awaited or, as in some versions of Open WebUI, not."""
    return LOOP.wait_for(_upload(file, metadata))


async def _upload(file, metadata):
    content = file.file.read()
    if inspect.isawaitable(content):
        content = await content
    kind = file.content_type or "application/octet-stream"
    name = file.filename or "file"
    found = await ask(current_call(), "file.create", name=name, content_type=kind, base64=to_base64(content))
    own = json.loads(metadata) if isinstance(metadata, str) else dict(metadata or {})
    meta = {"name": name, "content_type": kind, "size": len(content), "data": own}
    return FileModelResponse(**{"filename": name, "meta": meta, **found})


upload_file_handler = upload_file
