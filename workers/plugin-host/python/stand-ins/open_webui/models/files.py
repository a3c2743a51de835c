from pydantic import BaseModel, ConfigDict

from ._look_up import Now


class FileModel(BaseModel, Now):
    model_config = ConfigDict(extra="allow")

    id: str
    filename: str = ""
    meta: dict = {}
    url: str = ""


class FileModelResponse(FileModel):
    pass
