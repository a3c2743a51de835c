from pydantic import BaseModel, ConfigDict

from ._look_up import Now, NowList, find


class UserModel(BaseModel, Now):
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


class UsersTable:
    """People see themselves; administrators see others."""

    def get_user_by_id(self, id, db=None):
        found = find("user.get", id=id)
        return UserModel(**found) if found else None

    def get_users_by_user_ids(self, user_ids, db=None):
        return NowList(user for user in map(self.get_user_by_id, user_ids) if user is not None)


User = UserModel
Users = UsersTable()
