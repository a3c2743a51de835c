from pydantic import BaseModel, ConfigDict

from ._look_up import Meta, Now, NowList, Table, look_up


class ModelMeta(Meta):
    description: str | None = None
    capabilities: dict | None = None


class ModelParams(Meta):
    pass


class ModelModel(Now, BaseModel):
    model_config = ConfigDict(extra="allow", protected_namespaces=())

    id: str
    name: str = ""
    base_model_id: str | None = None
    params: ModelParams = ModelParams()
    meta: ModelMeta = ModelMeta()
    user_id: str = ""
    is_active: bool = True


class ModelsTable(Table):
    """Models that the caller may use."""

    def get_models(self, db=None):
        return NowList(_model_of(each) for each in look_up("model.list"))

    get_all_models = get_models

    def get_model_by_id(self, id, db=None):
        return next((model for model in self.get_models() if model.id == id), None)


def _model_of(entry):
    info = entry.get("info") or {}
    return ModelModel(**{**{key: value for key, value in info.items() if value is not None}, "id": entry["id"], "name": entry.get("name") or entry["id"]})


class ModelForm(BaseModel):
    model_config = ConfigDict(extra="allow", protected_namespaces=())

    id: str
    name: str = ""
    base_model_id: str | None = None
    params: dict = {}
    meta: dict = {}


Models = ModelsTable()
