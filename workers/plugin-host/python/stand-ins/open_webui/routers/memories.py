"""Memories of the caller, as Open WebUI's routes offer them."""
from fastapi import HTTPException
from plugin_harness.calls import current_call
from plugin_harness.capabilities import request as ask
from pydantic import BaseModel

from ..models.memories import MemoryModel


class AddMemoryForm(BaseModel):
    content: str
    type: str = "context"
    path: str | None = None


class MemoryUpdateModel(BaseModel):
    content: str | None = None
    type: str | None = None
    path: str | None = None


class QueryMemoryForm(BaseModel):
    content: str
    k: int | None = 1


class _Matches:
    """What a vector database answers with."""

    def __init__(self, found):
        self.ids = found["ids"]
        self.documents = found["documents"]
        self.metadatas = found["metadatas"]
        self.distances = found["distances"]


async def get_memories(request=None, user=None, db=None):
    return [MemoryModel(**each) for each in await ask(current_call(), "memory.list")]


async def add_memory(request=None, form_data=None, user=None, db=None):
    values = {key: value for key, value in form_data.model_dump().items() if value is not None}
    return MemoryModel(**await ask(current_call(), "memory.add", **values))


async def query_memory(request=None, form_data=None, user=None, db=None):
    try:
        return _Matches(await ask(current_call(), "memory.query", content=form_data.content, k=form_data.k))
    except RuntimeError as error:
        raise HTTPException(status_code=404, detail=str(error)) from None


async def update_memory_by_id(memory_id, request=None, form_data=None, user=None, db=None):
    values = {key: value for key, value in form_data.model_dump().items() if value is not None}
    return MemoryModel(**await ask(current_call(), "memory.update", id=memory_id, **values))


async def delete_memory_by_id(memory_id, request=None, user=None, db=None):
    return await ask(current_call(), "memory.delete", id=memory_id)
