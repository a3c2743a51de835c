import { forId, owner, type Row } from "./cells.ts";
import { found } from "./channel-table.ts";

const base = "/api/v1/channels/:id/messages/:message_id";
const answer: Row = {
  ids: { id: "channel", message_id: "channel answer" },
  may: forId({ id: found(owner) }, owner),
};

/** Answers of models in channels, as rows of the table. */
export const channelReplyTable: Readonly<Record<string, Row>> = {
  [`POST ${base}/stop`]: answer,
  [`POST ${base}/regenerate`]: answer,
};
