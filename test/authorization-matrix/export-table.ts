import { always, both, everyone, systemAdmin, type Row } from "./cells.ts";

const unknown: Row = { may: both(everyone, always(404)) };

/** What takes data out, as rows of the table. */
export const exportTable: Readonly<Record<string, Row>> = {
  "POST /api/v1/exports": { say: () => ({ json: { scope: "service" } }), may: systemAdmin },
  "GET /api/v1/exports/:id": unknown,
  "GET /api/v1/exports/:id/records/:kind": unknown,
  "GET /api/v1/exports/:id/files/:file_id": unknown,
};
