/** Where the chats API lives. */
export const chatsPath = "/api/v1/chats";
