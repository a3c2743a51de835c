"""Tools that the caller may use, without their sources."""
from pydantic import BaseModel, ConfigDict

from ._look_up import Meta, Now, NowList, Table, look_up, own_user_valves, own_valves


class ToolMeta(Meta):
    description: str | None = ""
    manifest: dict | None = {}


class ToolModel(Now, BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str
    user_id: str | None = None
    name: str = ""
    content: str = ""
    specs: list = []
    meta: ToolMeta = ToolMeta()
    updated_at: int = 0
    created_at: int = 0


class ToolsTable(Table):
    """Whatever user is named: only what the caller may use."""

    def get_tools(self, db=None, **_options):
        return NowList(ToolModel(**each) for each in look_up("tool.list"))

    def get_tools_by_user_id(self, user_id, permission="write", db=None):
        return NowList(tool for tool in self.get_tools() if permission == "read" or getattr(tool, "write_access", False))

    def get_tool_by_id(self, id, db=None):
        return next((tool for tool in self.get_tools() if tool.id == id), None)


    def get_tool_valves_by_id(self, id, db=None):
        """The tool's own; those of others may hold keys."""
        return own_valves("tool", id)

    def get_user_valves_by_id_and_user_id(self, id, user_id, db=None):
        """The caller's own, of the tool itself."""
        return own_user_valves("tool", id, user_id)


Tool = ToolModel
Tools = ToolsTable()
