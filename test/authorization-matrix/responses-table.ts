import { responsesPaths } from "../../src/chat/responses-api/routes.ts";
import { forId, owner, ownerOrSystemAdmin, type Row } from "./cells.ts";

/** Asking needs the model, going on from a response that it is one's own. */
const ask: Row = {
  ids: { model: "model", previous_response_id: "response" },
  say: ({ model, previous_response_id }) => ({ json: { model, previous_response_id, input: "Where is the harbour?" } }),
  may: forId({ model: ownerOrSystemAdmin }, owner),
};
/** What was answered is whoever's who asked, and nobody else's. */
const one: Row = { ids: { id: "response" }, may: owner };

export const responsesTable: Readonly<Record<string, Row>> = Object.fromEntries(
  responsesPaths.flatMap((path) => [
    [`POST ${path}`, ask],
    [`GET ${path}/:id`, one],
    [`DELETE ${path}/:id`, one],
    [`GET ${path}/:id/input_items`, one],
  ]),
);
