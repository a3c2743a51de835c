"""Of the steps around an answer, those that plugins do themselves with what the caller may use. The others raise where they are used."""
import json
import mimetypes
import uuid

from open_webui.retrieval.utils import query_collection
from plugin_harness.calls import current_call
from plugin_harness.capabilities import request as ask
from plugin_harness.values import to_base64

# Characters of a result that stand in its source.
_SHOWN = 20_000


async def process_tool_result(
    request, tool_function_name, tool_result, tool_type="", direct_tool=False, metadata=None, user=None
):
    """@returns what the model is told, files for the message, and pages to show under it"""
    files, embeds = [], []
    context = None
    if isinstance(tool_result, tuple) and len(tool_result) == 2 and hasattr(tool_result[0], "body"):
        tool_result, context = tool_result
    if hasattr(tool_result, "body") and hasattr(tool_result, "headers"):
        text = bytes(tool_result.body).decode("utf-8", "replace")
        if "inline" in tool_result.headers.get("content-disposition", ""):
            embeds.append(text)
            tool_result = context or f"{tool_function_name}: The page is shown to the person."
        else:
            tool_result = context or text
    if isinstance(tool_result, list):
        tool_result = [await _without_file(item, files) for item in tool_result]
        if all(isinstance(item, str) for item in tool_result):
            tool_result = "\n".join(tool_result)
    if isinstance(tool_result, (dict, list)):
        tool_result = json.dumps(tool_result, ensure_ascii=False, indent=2, default=str)
    return tool_result, files, embeds


async def _without_file(item, files):
    """Parts of an MCP result: texts as they are, pictures and sounds as files of the caller."""
    if not isinstance(item, dict) or item.get("type") not in ("text", "image", "audio"):
        return item
    if item["type"] == "text":
        return item.get("text", "")
    kind = item.get("mimeType") or "application/octet-stream"
    data = item.get("data", "")
    name = f"{item['type']}{mimetypes.guess_extension(kind) or ''}"
    encoded = data if isinstance(data, str) else to_base64(data)
    found = await ask(current_call(), "file.create", id=str(uuid.uuid4()), name=name, content_type=kind, base64=encoded)
    files.append({"type": item["type"], "id": found["id"], "url": f"/api/v1/files/{found['id']}/content"})
    return f"The file {name} is shown to the person."


def get_citation_source_from_tool_result(tool_name, tool_params, tool_result, tool_id=""):
    """@returns one source that names the tool and what it was asked for"""
    text = tool_result if isinstance(tool_result, str) else json.dumps(tool_result, ensure_ascii=False, default=str)
    return [
        {
            "source": {"name": tool_name, "type": "tool", "id": tool_id or tool_name},
            "document": [text[:_SHOWN]],
            "metadata": [{"source": tool_name, "name": tool_name, "parameters": tool_params}],
        }
    ]


async def get_system_oauth_token(request=None, user=None):
    """Plugins get no credentials of people."""
    return None


async def chat_completion_files_handler(request, body, extra_params=None, user=None):
    """Passages of the files and knowledge bases of the request that go with the last question. @returns the body, and sources"""
    from open_webui.utils.misc import get_last_user_message

    files = ((body.get("metadata") or {}).get("files")) or body.get("files") or []
    names = [_collection_of(file) for file in files if isinstance(file, dict) and file.get("id")]
    question = get_last_user_message(body.get("messages") or [])
    if not names or not question:
        return body, {"sources": []}
    found = await query_collection(collection_names=names, queries=[question], embedding_function=None, k=None)
    documents = (found.get("documents") or [[]])[0]
    metadatas = (found.get("metadatas") or [[]])[0]
    sources = [
        {"source": {"name": meta.get("name") or meta.get("source") or "", "id": meta.get("file_id", "")}, "document": [text], "metadata": [meta]}
        for text, meta in zip(documents, metadatas, strict=False)
    ]
    return body, {"sources": sources}


def _collection_of(file):
    return file["id"] if file.get("type") == "collection" else f"file-{file['id']}"
