import { always, both, systemAdmin, type Row } from "./cells.ts";

const unknown: Row = { may: both(systemAdmin, always(404)) };

/** What moves a team in, as rows of the table. */
export const importTable: Readonly<Record<string, Row>> = {
  "POST /api/v1/imports": {
    say: () => ({ json: { source: "open-webui", fingerprint: crypto.randomUUID(), name: "webui.db" } }),
    may: systemAdmin,
  },
  "GET /api/v1/imports": { may: systemAdmin },
  "GET /api/v1/imports/:id": unknown,
  "POST /api/v1/imports/:id/records": { ...unknown, say: () => ({ json: { records: [] } }) },
  "GET /api/v1/imports/:id/items": unknown,
  "DELETE /api/v1/imports/:id": unknown,
};
