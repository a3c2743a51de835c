from pydantic import BaseModel, ConfigDict

from ._look_up import Now, NowDict, NowList, Table, find, look_up


class UserModel(Now, BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str
    name: str = ""
    email: str = ""
    role: str = "user"
    profile_image_url: str = "/user.png"
    last_active_at: int = 0
    updated_at: int = 0
    created_at: int = 0
    settings: dict | None = None
    info: dict | None = None


class UserResponse(UserModel):
    pass


class UsersTable(Table):
    """People see themselves; administrators see others."""

    def get_user_by_id(self, id, db=None):
        found = find("user.get", id=id)
        return UserModel(**found) if found else None

    def get_users_by_user_ids(self, user_ids, db=None):
        return NowList(user for user in map(self.get_user_by_id, user_ids) if user is not None)

    def get_user_by_email(self, email, db=None):
        own = self.get_user_by_id(None)
        if own is not None and own.email.lower() == email.lower():
            return own
        found = find("user.list") or []
        return next((UserModel(**each) for each in found if each["email"].lower() == email.lower()), None)

    def get_users(self, filter=None, skip=None, limit=None, db=None):
        """By name. In the form of Open WebUI: the page, and how many there are in all."""
        query = ((filter or {}).get("query") or "").lower()
        found = [each for each in look_up("user.list") if query in f"{each['name']} {each['email']}".lower()]
        start = skip or 0
        page = found[start : None if limit is None else start + limit]
        return NowDict(users=[UserModel(**each) for each in page], total=len(found))

    def get_first_user(self, db=None):
        """The caller: who came first is nobody's business."""
        return self.get_user_by_id(None)

    def get_num_users(self, db=None):
        return len(look_up("user.list"))


User = UserModel
Users = UsersTable()
