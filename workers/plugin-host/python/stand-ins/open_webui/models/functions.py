"""Functions that are on; for administrators all. Without their sources."""
from pydantic import BaseModel, ConfigDict

from ._look_up import Now, NowList, look_up


class FunctionModel(BaseModel, Now):
    model_config = ConfigDict(extra="allow")

    id: str
    user_id: str | None = None
    name: str = ""
    type: str = ""
    content: str = ""
    meta: dict = {}
    is_active: bool = False
    is_global: bool = False
    updated_at: int = 0
    created_at: int = 0


class FunctionsTable:
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


Function = FunctionModel
Functions = FunctionsTable()
