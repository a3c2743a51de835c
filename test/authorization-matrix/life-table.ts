import { always, both, everyone, systemAdmin, systemAdminOf, type Row } from "./cells.ts";

/** How long things are kept, as rows of the table. */
export const lifeTable: Readonly<Record<string, Row>> = {
  "GET /api/v1/retention": { may: systemAdmin },
  "GET /api/v1/retention/own": { may: everyone },
  "GET /api/v1/data-copy": { may: everyone },
  "GET /api/v1/users/:id/data-copy": { ids: { id: "user" }, may: systemAdminOf },
  "GET /api/v1/users/:id/erasure": { ids: { id: "user" }, may: systemAdminOf },
  "POST /api/v1/users/:id/erasure": {
    ids: { id: "user" },
    say: () => ({ json: {} }),
    may: (cell) => (cell.variant === "own" ? 403 : systemAdminOf(cell)),
  },
  "GET /api/v1/erasures": { may: systemAdmin },
  "GET /api/v1/erasures/:id": { say: () => ({}), may: both(systemAdmin, always(404)) },
  "GET /api/v1/legal-holds": { may: systemAdmin },
  "POST /api/v1/legal-holds": {
    say: () => ({ json: { kind: "person", target_id: "nobody", reason: "A case" } }),
    may: both(systemAdmin, always(404)),
  },
  "DELETE /api/v1/legal-holds/:id": { may: both(systemAdmin, always(404)) },
  "GET /api/v1/organizations/:id/retention": { ids: { id: "organization" }, may: systemAdminOf },
};
