import { messagesPaths } from "../../src/chat/messages-api/routes.ts";
import { filter, forId, owner, ownerOrSystemAdmin, type Row } from "./cells.ts";

const question = [{ role: "user", content: "What is the capital of France?" }];
/** Chats are their owner's alone, whoever else administers what. */
const completion: Row = {
  ids: { model: "model", chat_id: "chat" },
  say: ({ model, chat_id }) => ({ json: { model, chat_id, messages: question } }),
  may: forId({ model: ownerOrSystemAdmin }, owner),
};
/** The Messages API knows 400 only for what does not fit. Who may ask a model may also count for it. */
const messages = (more: object): Row => ({
  ids: { model: "model" },
  say: ({ model }) => ({ json: { model, messages: question, ...more } }),
  may: (cell) => (cell.variant === "malformed" ? [400, 404] : ownerOrSystemAdmin(cell)),
});

/** Asking models, in any dialect. */
export const completionTable: Readonly<Record<string, Row>> = {
  "POST /api/chat/completions": completion,
  "POST /api/v1/chat/completions": completion,
  // The host of the matrix runs no Python; who may not run code does not come so far.
  "POST /api/v1/utils/code/execute": {
    ids: { file: "file" },
    say: ({ file }) => ({ json: { code: "1 + 1", files: [file] } }),
    may: (cell) => (ownerOrSystemAdmin(cell) === "ok" ? 503 : ownerOrSystemAdmin(cell)),
  },
  // A chat that is not stored is fine; another person's is not there.
  "POST /api/chat/completed": {
    ...completion,
    may: forId({ model: ownerOrSystemAdmin }, (cell) => (cell.variant.startsWith("foreign") ? 404 : filter(cell))),
  },
  ...Object.fromEntries(
    messagesPaths.flatMap((path) => [
      [`POST ${path}`, messages({ max_tokens: 64 })],
      [`POST ${path}/count_tokens`, messages({})],
    ]),
  ),
};
