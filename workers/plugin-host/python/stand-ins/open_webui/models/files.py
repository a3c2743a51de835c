"""The caller's files."""
import os

from plugin_harness.values import from_base64, to_base64
from pydantic import BaseModel, ConfigDict

from ..config import UPLOAD_DIR
from ._look_up import Now, NowList, Table, find, look_up


class FileForm(BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str
    hash: str | None = None
    filename: str
    path: str = ""
    data: dict = {}
    meta: dict = {}
    access_control: dict | None = None


class FileUpdateForm(BaseModel):
    hash: str | None = None
    data: dict | None = None
    meta: dict | None = None


class FileMeta(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str | None = None
    content_type: str | None = None
    size: int | None = None


class FileModel(Now, BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str
    user_id: str = ""
    hash: str | None = None
    filename: str = ""
    data: dict | None = None
    meta: dict = {}
    url: str = ""
    created_at: int = 0
    updated_at: int = 0

    @property
    def path(self):
        """Of a copy in the isolate, which is made when it is asked for."""
        return fetch_path(_path_of(self.id, self.filename))


class FileModelResponse(FileModel):
    pass


class FileMetadataResponse(FileModel):
    pass


File = FileModel


def _path_of(id, filename):
    return os.path.join(UPLOAD_DIR, f"{id}_{os.path.basename(filename) or 'file'}")


def fetch_path(path):
    """Makes sure that what a path names is there. Raises RuntimeError where the caller may not read it."""
    if not os.path.exists(path):
        id = os.path.basename(path).partition("_")[0]
        content = from_base64(look_up("file.read", id=id)["base64"])
        with open(path, "wb") as out:
            out.write(content)
    return path


class FilesTable(Table):
    def insert_new_file(self, user_id, form_data, db=None):
        """Keeps the bytes at `form_data.path`, or else the text in its data, as a file of the caller, whatever `user_id` says."""
        meta = dict(form_data.meta or {})
        if form_data.path and os.path.exists(form_data.path):
            with open(form_data.path, "rb") as file:
                content = file.read()
        else:
            content = str((form_data.data or {}).get("content", "")).encode()
        name = meta.get("name") or form_data.filename
        kind = meta.get("content_type") or "application/octet-stream"
        found = look_up("file.create", id=str(form_data.id).lower(), name=name, content_type=kind, base64=to_base64(content))
        return FileModel(**{**found, "data": {**(found.get("data") or {}), **(form_data.data or {})}})

    def get_file_by_id(self, id, db=None):
        found = find("file.get", id=id)
        return FileModel(**found) if found else None

    def get_file_by_id_and_user_id(self, id, user_id, db=None):
        file = self.get_file_by_id(id)
        return file if file is not None and file.user_id == user_id else None

    get_file_metadata_by_id = get_file_by_id

    def get_files_by_ids(self, ids, db=None):
        return NowList(file for file in map(self.get_file_by_id, ids) if file is not None)

    get_file_metadatas_by_ids = get_files_by_ids

    def get_files(self, db=None):
        files = NowList()
        for page in range(1, 21):
            found = look_up("file.list", page=page)
            files.extend(FileModel(**each) for each in found["items"])
            if len(files) >= found["total"] or not found["items"]:
                break
        return files

    def get_files_by_user_id(self, user_id, db=None):
        return NowList(file for file in self.get_files() if file.user_id == user_id)

    def update_file_data_by_id(self, id, data, db=None):
        raise NotImplementedError("The text of a file is what Parley reads out of it: make a new file instead")

    def update_file_metadata_by_id(self, id, meta, db=None):
        raise NotImplementedError("The metadata of a file cannot be changed: make a new file instead")

    def delete_file_by_id(self, id, db=None):
        return bool(find("file.delete", id=id))


Files = FilesTable()
