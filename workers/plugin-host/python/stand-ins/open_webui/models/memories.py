"""The caller's memories."""
from pydantic import BaseModel, ConfigDict

from ._look_up import Now, NowList, Table, find, look_up


class MemoryModel(Now, BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str
    user_id: str = ""
    content: str = ""
    type: str | None = None
    path: str | None = None
    created_at: int = 0
    updated_at: int = 0


Memory = MemoryModel


class MemoriesTable(Table):
    """Whatever user is named: only the caller's."""

    def get_memories_by_user_id(self, user_id, db=None):
        return NowList(MemoryModel(**each) for each in look_up("memory.list"))

    get_memories = get_memories_by_user_id

    def get_memory_by_id(self, id, db=None):
        return next((memory for memory in self.get_memories_by_user_id(None) if memory.id == id), None)

    def insert_new_memory(self, user_id, content, db=None, **_options):
        return MemoryModel(**look_up("memory.add", content=content))

    def update_memory_by_id_and_user_id(self, id, user_id, content, db=None, **_options):
        found = find("memory.update", id=id, content=content)
        return MemoryModel(**found) if found else None

    def delete_memory_by_id_and_user_id(self, id, user_id=None, db=None):
        return bool(find("memory.delete", id=id))

    delete_memory_by_id = delete_memory_by_id_and_user_id


Memories = MemoriesTable()
