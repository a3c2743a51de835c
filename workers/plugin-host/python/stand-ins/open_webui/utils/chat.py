import json
import time

from plugin_harness.calls import current_call
from plugin_harness.capabilities import request as ask
from starlette.responses import StreamingResponse


async def generate_chat_completion(request, form_data=None, user=None, bypass_filter=False, **_options):
    """A completion of a model that the caller may use. With `stream` it comes in one piece. Older versions had no request before the form."""
    if isinstance(request, dict):
        form_data = request
    body = {key: value for key, value in dict(form_data).items() if key != "stream"}
    found = await ask(current_call(), "completion.create", body={**body, "stream": False})
    return StreamingResponse(_as_stream(found), media_type="text/event-stream") if form_data.get("stream") else found


async def _as_stream(found):
    head = {
        "id": found.get("id", ""),
        "object": "chat.completion.chunk",
        "created": found.get("created", int(time.time())),
        "model": found.get("model", ""),
    }
    for choice in found.get("choices", []):
        delta = choice.get("message", {})
        yield _frame({**head, "choices": [{"index": choice.get("index", 0), "delta": delta, "finish_reason": None}]})
        end = {"index": choice.get("index", 0), "delta": {}, "finish_reason": choice.get("finish_reason") or "stop"}
        usage = {"usage": found["usage"]} if found.get("usage") else {}
        yield _frame({**head, "choices": [end], **usage})
    yield "data: [DONE]\n\n"


def _frame(value):
    return f"data: {json.dumps(value)}\n\n"


chat_completion = generate_chat_completion
