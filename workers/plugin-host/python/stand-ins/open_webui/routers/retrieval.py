"""Documents of the caller and searches of the web, with what the service is set up with."""
import asyncio

from fastapi import HTTPException
from plugin_harness.calls import current_call
from plugin_harness.capabilities import request as ask
from pydantic import BaseModel

# Seconds between two looks at a file that is being read, and how often.
_PAUSE = 0.5
_LOOKS = 240


class ProcessFileForm(BaseModel):
    file_id: str
    content: str | None = None
    collection_name: str | None = None


class SearchForm(BaseModel):
    queries: list[str]


class QueryDocForm(BaseModel):
    collection_name: str
    query: str
    k: int | None = None
    k_reranker: int | None = None
    r: float | None = None
    hybrid: bool | None = None
    hybrid_bm25_weight: float | None = None


class QueryCollectionsForm(BaseModel):
    collection_names: list[str]
    query: str
    k: int | None = None
    k_reranker: int | None = None
    r: float | None = None
    hybrid: bool | None = None
    hybrid_bm25_weight: float | None = None
    enable_enriched_texts: bool | None = None


async def process_file(request=None, form_data=None, user=None, db=None):
    """Files are read by themselves: waits until this one was, and tells its text."""
    if form_data.content is not None or form_data.collection_name is not None:
        raise NotImplementedError("Files are read by the service: their text and their collection cannot be chosen")
    for _ in range(_LOOKS):
        file = await ask(current_call(), "file.get", id=form_data.file_id)
        data = file.get("data") or {}
        if data.get("status") != "pending":
            break
        await asyncio.sleep(_PAUSE)
    if data.get("status") == "failed":
        raise HTTPException(status_code=400, detail=data.get("error") or "The file could not be read")
    return {
        "status": True,
        "collection_name": f"file-{file['id']}",
        "filename": file.get("filename"),
        "content": data.get("content") or "",
    }


class ProcessUrlForm(BaseModel):
    url: str
    collection_name: str | None = None


async def process_web(request=None, form_data=None, process=True, overwrite=True, user=None):
    """Reads a page. With `process` it becomes a file of the caller, and may go into a knowledge base that the caller can change."""
    if not process:
        return {"status": True, "content": (await ask(current_call(), "web.read", url=form_data.url))["text"]}
    name = form_data.collection_name or None
    file = await ask(current_call(), "web.attach", url=form_data.url, **({"collection_name": name} if name else {}))
    read = await process_file(form_data=ProcessFileForm(file_id=file["id"]))
    return {
        "status": True,
        "collection_name": name or read["collection_name"],
        "filename": form_data.url,
        "file": {"data": {"content": read["content"]}, "meta": {"name": form_data.url, "source": form_data.url}},
    }


async def process_web_search(request=None, form_data=None, user=None):
    """@returns items with link, title and snippet, and docs with the texts of the pages"""
    return await ask(current_call(), "web.search", queries=form_data.queries)


async def search_web(request, engine, query, user=None):
    """@returns results with link, title and snippet, by the provider of the settings"""
    found = await ask(current_call(), "web.search", queries=[query])
    return [SearchResult(**item) for item in found["items"]]


class SearchResult(BaseModel):
    link: str
    title: str | None = None
    snippet: str | None = None


async def query_doc_handler(request=None, form_data=None, user=None):
    """@returns lists of documents, metadatas and distances"""
    values = _given(form_data)
    name = values.pop("collection_name")
    return await _query(**values, collection_names=[name])


async def query_collection_handler(request=None, form_data=None, user=None):
    values = _given(form_data)
    values.pop("enable_enriched_texts", None)
    return await _query(**values)


def _given(form):
    return {key: value for key, value in form.model_dump().items() if value is not None}


async def _query(**values):
    try:
        return await ask(current_call(), "collection.query", **values)
    except RuntimeError as error:
        raise HTTPException(status_code=404, detail=str(error)) from None
