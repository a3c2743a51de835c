import { everyone, forId, owner, reference, type Row } from "./cells.ts";

const base = "/api/v1/folders";
const chats = "/api/v1/chats";

const list: Row = { may: everyone };
/** Folders are as private as chats: administrators have no more of them than others. */
const folder: Row = { ids: { id: "folder" }, may: owner };
const inFolder: Row = { ids: { folder_id: "folder" }, may: owner };
const create: Row = {
  ids: { parent_id: "folder" },
  say: ({ parent_id }) => ({ json: { name: crypto.randomUUID(), parent_id } }),
  may: owner,
};

/** Folders of chats, and chats in them, as rows of the table. */
export const folderTable: Readonly<Record<string, Row>> = {
  [`GET ${base}`]: list,
  [`GET ${base}/`]: list,
  [`GET ${base}/shared`]: list,
  [`POST ${base}`]: create,
  [`POST ${base}/`]: create,
  [`GET ${base}/:id`]: folder,
  [`POST ${base}/:id/update`]: { ...folder, say: () => ({ json: { name: crypto.randomUUID() } }) },
  [`POST ${base}/:id/update/parent`]: { ...folder, say: () => ({ json: { parent_id: null } }) },
  [`POST ${base}/:id/update/expanded`]: { ...folder, say: () => ({ json: { is_expanded: true } }) },
  [`POST ${base}/:id/access/update`]: {
    ids: { id: "folder", principal_id: "user" },
    say: ({ principal_id }) => ({
      json: { access_grants: [{ principal_type: "user", principal_id, permission: "read" }] },
    }),
    may: forId({ principal_id: reference }, owner),
  },
  [`DELETE ${base}/:id`]: folder,
  [`POST ${chats}/:id/folder`]: {
    ids: { id: "chat", folder_id: "folder" },
    say: ({ folder_id }) => ({ json: { folder_id } }),
    may: owner,
  },
  [`GET ${chats}/folder/:folder_id`]: inFolder,
  [`GET ${chats}/folder/:folder_id/list`]: inFolder,
  [`POST ${chats}/new`]: {
    ids: { folder_id: "folder" },
    say: ({ folder_id }) => ({ json: { chat: { title: "New" }, folder_id } }),
    may: owner,
  },
};
