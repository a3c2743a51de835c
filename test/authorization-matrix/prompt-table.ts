import { everyone, forId, keeper, owner, reference, type Row, systemAdmin } from "./cells.ts";

const list: Row = { may: everyone };
const base = "/api/v1/prompts";
const chats = "/api/v1/chats";
const memories = "/api/v1/memories";

const prompt: Row = { ids: { id: "prompt" }, may: keeper };
const change: Row = { ...prompt, say: () => ({ json: { name: "Renamed" } }) };
/** A version that must be one of the prompt named. */
const version: Row = { ids: { id: "prompt", version_id: "prompt version" }, may: owner };
const readers = (principal_id: string | undefined) => ({
  access_grants: [{ principal_type: "user", principal_id, permission: "read" }],
});
/** Chats are their owner's alone, shared ones too: others read them through the link, where the owner named them. */
const sharedChat: Row = { ids: { id: "shared chat" }, may: owner };
const link: Row = { ids: { share_id: "link" }, may: owner };

/** A person's alone: administrators do not reach them either. */
const memory: Row = { ids: { id: "memory" }, may: owner };
const text = { content: "Sails on Sundays" };

/** Prompts, memories, shared chats, and chats as files, as rows of the table. */
export const promptTable: Readonly<Record<string, Row>> = {
  [`GET ${base}`]: list,
  [`GET ${base}/`]: list,
  [`GET ${base}/list`]: list,
  [`GET ${base}/tags`]: list,
  [`POST ${base}/create`]: {
    ids: { principal_id: "user" },
    say: ({ principal_id }) => ({
      json: { command: `c${crypto.randomUUID()}`, name: "New", content: "Ahoy", ...readers(principal_id) },
    }),
    may: reference,
  },
  [`GET ${base}/export`]: list,
  [`POST ${base}/import`]: {
    say: () => ({ json: [{ command: `c${crypto.randomUUID()}`, name: "New", content: "Ahoy" }] }),
    may: everyone,
  },
  [`GET ${base}/command/:command`]: { ids: { command: "command" }, may: keeper },
  [`GET ${base}/id/:id`]: prompt,
  [`POST ${base}/id/:id/update`]: change,
  [`POST ${base}/id/:id/update/meta`]: change,
  [`POST ${base}/id/:id/update/version`]: { ...version, say: ({ version_id }) => ({ json: { version_id } }) },
  [`POST ${base}/id/:id/toggle`]: prompt,
  [`POST ${base}/id/:id/access/update`]: {
    ids: { id: "prompt", principal_id: "user" },
    say: ({ principal_id }) => ({ json: readers(principal_id) }),
    may: forId({ principal_id: reference }, keeper),
  },
  [`DELETE ${base}/id/:id/delete`]: prompt,
  [`GET ${base}/id/:id/history`]: prompt,
  [`GET ${base}/id/:id/history/:version_id`]: version,
  [`DELETE ${base}/id/:id/history/:version_id`]: version,

  [`GET ${memories}`]: list,
  [`GET ${memories}/`]: list,
  [`POST ${memories}/add`]: { say: () => ({ json: text }), may: everyone },
  // Nobody here has any to be found.
  [`POST ${memories}/query`]: { say: () => ({ json: text }), may: () => 404 },
  [`POST ${memories}/update`]: {
    ids: { memory_id: "memory" },
    say: ({ memory_id }) => ({ json: { operations: [{ action: "move", id: memory_id, path: "harbour" }] } }),
    may: owner,
  },
  [`POST ${memories}/search`]: { say: () => ({ json: {} }), may: everyone },
  [`POST ${memories}/paths`]: { say: () => ({ json: {} }), may: everyone },
  [`POST ${memories}/path`]: { say: () => ({ json: { path: "harbour" } }), may: everyone },
  [`POST ${memories}/reindex`]: { may: systemAdmin },
  [`POST ${memories}/reset`]: list,
  [`DELETE ${memories}/delete/user`]: list,
  [`POST ${memories}/:id/update`]: { ...memory, say: () => ({ json: text }) },
  [`DELETE ${memories}/:id`]: memory,

  [`GET ${chats}/shared`]: list,
  [`GET ${chats}/:id/share`]: sharedChat,
  [`POST ${chats}/:id/share`]: { ids: { id: "chat" }, may: owner },
  [`DELETE ${chats}/:id/share`]: sharedChat,
  [`GET ${chats}/shared/:id/access`]: sharedChat,
  [`POST ${chats}/shared/:id/access/update`]: {
    ids: { id: "shared chat", principal_id: "user" },
    say: ({ principal_id }) => ({ json: readers(principal_id) }),
    may: forId({ principal_id: reference }, owner),
  },
  [`GET ${chats}/share/:share_id`]: link,
  [`POST ${chats}/:share_id/clone/shared`]: link,
  [`GET ${chats}/:id/export`]: { ids: { id: "chat" }, may: owner },
  [`POST ${chats}/import/file`]: {
    say: () => ({ json: [{ title: "Old", messages: [{ role: "user", content: "Ahoy" }] }] }),
    may: everyone,
  },
};
