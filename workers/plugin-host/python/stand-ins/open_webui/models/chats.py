from plugin_harness.calls import current_call
from plugin_harness.loop import LOOP
from plugin_harness.values import to_json
from pydantic import BaseModel, ConfigDict

from ._look_up import Now, NowDict, NowList, Table, find, look_up


class ChatModel(Now, BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str
    user_id: str = ""
    title: str = ""
    chat: dict = {}
    meta: dict | None = None
    folder_id: str | None = None
    archived: bool = False
    pinned: bool | None = False
    share_id: str | None = None
    created_at: int = 0
    updated_at: int = 0


class _ChatList(NowList):
    """Some versions of Open WebUI answer with a list, others with an object that has one."""

    @property
    def items(self):
        return self

    @property
    def total(self):
        return len(self)


class ChatTable(Table):
    """The caller's own chats."""

    def get_chat_by_id(self, id, db=None):
        found = find("chat.get", id=id)
        return ChatModel(**found) if found else None

    def get_chat_by_id_and_user_id(self, id, user_id, db=None):
        chat = self.get_chat_by_id(id)
        return chat if chat is not None and chat.user_id == user_id else None

    def get_chat_title_by_id(self, id, db=None):
        chat = self.get_chat_by_id(id)
        return chat.title if chat is not None else None

    def get_messages_by_chat_id(self, id, db=None):
        chat = self.get_chat_by_id(id)
        return NowDict(chat.chat.get("history", {}).get("messages", {})) if chat is not None else None

    def get_chats_by_user_id(self, user_id, skip=0, limit=60, db=None, **_options):
        """Without their messages, the last changed first."""
        found = NowList()
        for page in range(1, (skip + limit) // 60 + 2):
            part = look_up("chat.list", page=page)
            found.extend(ChatModel(**{**each, "tags": None}, user_id=user_id) for each in part)
            if len(part) < 60:
                break
        return _ChatList(found[skip : skip + limit])

    get_chat_list_by_user_id = get_chat_title_id_list_by_user_id = get_chats_by_user_id

    def get_chats_by_folder_id_and_user_id(self, folder_id, user_id, skip=0, limit=60, db=None):
        found = [each for each in self.get_chats_by_user_id(user_id, 0, 100_000) if each.folder_id == folder_id]
        return NowList(found[skip : skip + limit])

    def get_chats_by_user_id_and_search_text(self, user_id, search_text, include_archived=False, skip=0, limit=60, db=None):
        """Those with the text in their title."""
        text = search_text.strip().lower()
        found = [each for each in self.get_chats_by_user_id(user_id, 0, 100_000) if text in each.title.lower()]
        return NowList(found[skip : skip + limit])

    def count_chats_by_user_id(self, user_id, db=None):
        return len(self.get_chats_by_user_id(user_id, 0, 100_000))

    get_messages_map_by_chat_id = get_messages_by_chat_id

    def get_message_by_id_and_message_id(self, id, message_id, db=None):
        messages = self.get_messages_by_chat_id(id)
        found = None if messages is None else messages.get(message_id)
        return NowDict(found) if found is not None else None

    def add_message_files_by_id_and_message_id(self, id, message_id, files, db=None):
        """Shows files at the message that the plugin works on, beside those that are there. Returns all of them."""
        call = current_call()
        if message_id != call.place.get("message_id"):
            raise NotImplementedError("Files can only be added to the message that the plugin works on")
        message = self.get_message_by_id_and_message_id(id, message_id) or {}
        found = [*(message.get("files") or []), *files]
        LOOP.wait_for(call.ask_host("emit", to_json({"type": "files", "data": {"files": found}})))
        return NowList(found)


Chat = ChatModel
Chats = ChatTable()
