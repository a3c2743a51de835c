import { messagesPaths } from "../../src/chat/messages/routes.ts";
import { ownerOrSystemAdmin, type Row } from "./cells.ts";

const messages = [{ role: "user", content: "Where is the harbour?" }];
/** The dialect knows 400 only for what does not fit. */
const row = (more: object): Row => ({
  ids: { model: "model" },
  say: ({ model }) => ({ json: { model, messages, ...more } }),
  may: (cell) => (cell.variant === "malformed" ? [400, 404] : ownerOrSystemAdmin(cell)),
});

/** The Messages API: who may ask a model may also count for it. */
export const messagesTable: Readonly<Record<string, Row>> = Object.fromEntries(
  messagesPaths.flatMap((path) => [
    [`POST ${path}`, row({ max_tokens: 64 })],
    [`POST ${path}/count_tokens`, row({})],
  ]),
);
