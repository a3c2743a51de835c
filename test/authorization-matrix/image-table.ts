import { always, type Row } from "./cells.ts";

/** Pictures by models: no model is set up here, and administrators are told so too. */
export const imageTable: Readonly<Record<string, Row>> = {
  "POST /api/v1/images/generations": { say: () => ({ json: { prompt: "A boat" } }), may: always(403) },
  "POST /api/v1/images/edit": { say: () => ({ json: { prompt: "A boat", image: "data:," } }), may: always(403) },
  "GET /api/v1/images/models": { may: always(403) },
};
