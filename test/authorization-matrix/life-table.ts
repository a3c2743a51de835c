import { everyone, systemAdmin, systemAdminOf, type Row } from "./cells.ts";

/** How long things are kept, as rows of the table. */
export const lifeTable: Readonly<Record<string, Row>> = {
  "GET /api/v1/retention": { may: systemAdmin },
  "GET /api/v1/retention/own": { may: everyone },
  "GET /api/v1/data-copy": { may: everyone },
  "GET /api/v1/users/:id/data-copy": { ids: { id: "user" }, may: systemAdminOf },
  "GET /api/v1/organizations/:id/retention": { ids: { id: "organization" }, may: systemAdminOf },
};
