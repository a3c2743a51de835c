import { forId, owner, ownerOrSystemAdmin, type Row } from "./cells.ts";
import { found } from "./channel-table.ts";

const base = "/api/v1/channels";
const all = `${base}/:id/messages`;
const one = `${all}/:message_id`;
const channel: Row = { ids: { id: "channel" }, may: found(owner) };
const message: Row = {
  ids: { id: "channel", message_id: "channel message" },
  may: forId({ id: found(owner) }, owner),
};
const reaction: Row = { ...message, say: () => ({ json: { name: "wave" } }) };

/** What is said in channels, as rows of the table. */
export const channelMessageTable: Readonly<Record<string, Row>> = {
  [`GET ${base}/search`]: {
    ids: { channel_id: "channel" },
    say: ({ channel_id = "" }) => ({ query: { q: "ahoy", channel_id } }),
    may: found(owner),
  },
  [`GET ${base}/:id/history`]: {
    ids: { id: "channel", parent_id: "channel message" },
    say: ({ parent_id = "" }) => ({ query: { parent_id } }),
    may: forId({ id: found(owner) }, owner),
  },
  [`GET ${all}`]: channel,
  [`GET ${all}/pinned`]: channel,
  [`GET ${all}/mentions`]: channel,
  [`POST ${all}/post`]: {
    ids: { id: "channel", file_id: "file" },
    say: ({ file_id }) => ({ json: { content: "Ahoy", files: [{ id: file_id }] } }),
    may: forId({ file_id: ownerOrSystemAdmin }, found(owner)),
  },
  [`GET ${one}`]: message,
  [`GET ${one}/data`]: message,
  [`GET ${one}/thread`]: message,
  [`POST ${one}/update`]: { ...message, say: () => ({ json: { content: "Aye" } }) },
  [`POST ${one}/pin`]: { ...message, say: () => ({ json: { is_pinned: true } }) },
  [`POST ${one}/reactions/add`]: reaction,
  [`POST ${one}/reactions/remove`]: reaction,
  [`DELETE ${one}/delete`]: message,
};
