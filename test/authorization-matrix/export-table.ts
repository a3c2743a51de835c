import { always, both, everyone, type Row } from "./cells.ts";

const unknown: Row = { may: both(everyone, always(404)) };

/** What takes data out, as rows of the table. */
export const exportTable: Readonly<Record<string, Row>> = {
  // Of the whole service: test/life/export/exports.test.ts.
  "POST /api/v1/exports": { say: () => ({ json: { scope: "person" } }), may: everyone },
  "GET /api/v1/exports/:id": unknown,
  "GET /api/v1/exports/:id/records/:kind": unknown,
  "GET /api/v1/exports/:id/files/:file_id": unknown,
};
