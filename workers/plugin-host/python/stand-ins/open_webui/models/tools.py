"""Tools that the caller may use, without their sources."""
from pydantic import BaseModel, ConfigDict

from ._look_up import Now, NowList, look_up


class ToolModel(BaseModel, Now):
    model_config = ConfigDict(extra="allow")

    id: str
    user_id: str | None = None
    name: str = ""
    content: str = ""
    specs: list = []
    meta: dict = {}
    updated_at: int = 0
    created_at: int = 0


class ToolsTable:
    """Whatever user is named: only what the caller may use."""

    def get_tools(self, db=None, **_options):
        return NowList(ToolModel(**each) for each in look_up("tool.list"))

    def get_tools_by_user_id(self, user_id, permission="write", db=None):
        return NowList(tool for tool in self.get_tools() if permission == "read" or getattr(tool, "write_access", False))

    def get_tool_by_id(self, id, db=None):
        return next((tool for tool in self.get_tools() if tool.id == id), None)


Tool = ToolModel
Tools = ToolsTable()
