"""Functions that are on; for administrators all. Without their sources."""
from pydantic import BaseModel, ConfigDict

from ._look_up import Meta, Now, NowList, Table, look_up, own_user_valves, own_valves


class FunctionMeta(Meta):
    description: str | None = ""
    manifest: dict | None = {}


class FunctionModel(Now, BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str
    user_id: str | None = None
    name: str = ""
    type: str = ""
    content: str = ""
    meta: FunctionMeta = FunctionMeta()
    is_active: bool = False
    is_global: bool = False
    updated_at: int = 0
    created_at: int = 0


class FunctionsTable(Table):
    def get_functions(self, active_only=False, db=None, **_options):
        found = NowList(FunctionModel(**each) for each in look_up("function.list"))
        return NowList(each for each in found if each.is_active) if active_only else found

    def get_function_by_id(self, id, db=None):
        return next((each for each in self.get_functions() if each.id == id), None)

    def get_functions_by_type(self, type, active_only=False, db=None):
        return NowList(each for each in self.get_functions(active_only) if each.type == type)

    def get_global_filter_functions(self, db=None):
        return NowList(each for each in self.get_functions_by_type("filter", True) if each.is_global)

    def get_global_action_functions(self, db=None):
        return NowList(each for each in self.get_functions_by_type("action", True) if each.is_global)

    def get_function_valves_by_id(self, id, db=None):
        """The plugin's own; those of others may hold keys."""
        return own_valves("function", id)

    def get_user_valves_by_id_and_user_id(self, id, user_id, db=None):
        """The caller's own, of the plugin itself."""
        return own_user_valves("function", id, user_id)


Function = FunctionModel
Functions = FunctionsTable()
