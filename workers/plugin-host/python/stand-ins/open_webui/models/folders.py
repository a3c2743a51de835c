"""Folders of chats that the caller can read."""
from pydantic import BaseModel, ConfigDict

from ._look_up import Now, NowList, Table, look_up


class FolderModel(Now, BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str
    parent_id: str | None = None
    user_id: str = ""
    name: str = ""
    meta: dict | None = None
    data: dict | None = None
    is_expanded: bool = False
    created_at: int = 0
    updated_at: int = 0


class FolderTable(Table):
    """Whatever user is named: only what the caller can read."""

    def get_folders_by_user_id(self, user_id, db=None):
        return NowList(FolderModel(**each) for each in look_up("folder.list"))

    def get_folder_by_id_and_user_id(self, id, user_id, db=None):
        return next((each for each in self.get_folders_by_user_id(user_id) if each.id == id), None)

    def get_folders_by_parent_id_and_user_id(self, parent_id, user_id, db=None):
        return NowList(each for each in self.get_folders_by_user_id(user_id) if each.parent_id == parent_id)

    def get_folder_by_parent_id_and_user_id_and_name(self, parent_id, user_id, name, db=None):
        folders = self.get_folders_by_parent_id_and_user_id(parent_id, user_id)
        return next((each for each in folders if each.name.lower() == name.lower()), None)


Folder = FolderModel
Folders = FolderTable()
