import { both, everyone, filter, managers, managersOf, reference, type Row } from "./cells.ts";

const list: Row = { may: everyone };
/** What belongs to nobody of theirs is nothing to them. */
const managed: Row = {
  ids: { user_id: "user", organization_id: "organization", group_id: "group", key_id: "key" },
  say: ({ user_id = "", organization_id = "", group_id = "", key_id = "" }) => ({
    query: { user_id, organization_id, group_id, key_id },
  }),
  may: both(managers, filter),
};
const quota: Row = { ids: { id: "quota" }, may: managersOf };
/** There is none around this world. */
const machine: Row = { may: ({ caller }) => (caller === "system admin" ? 404 : 403) };
const amounts = { unit: "requests", period: "day", amount: 1_000_000 };

/** The ledger and quotas, as rows of the table. */
export const usageTable: Readonly<Record<string, Row>> = {
  "GET /api/usage": list,
  "GET /api/v1/usage": list,
  "GET /api/v1/usage/export": list,
  "GET /api/v1/usage/calls": list,
  "GET /api/v1/usage/quotas": list,
  "GET /api/v1/usage/admin": managed,
  "GET /api/v1/usage/admin/export": managed,
  "GET /api/v1/usage/admin/calls": managed,
  "GET /api/v1/storage": list,
  "GET /api/v1/storage/admin": { may: managers },
  "GET /api/v1/machine": machine,
  "POST /api/v1/machine/backups": machine,
  "POST /api/v1/machine/compactions": machine,
  "GET /api/v1/quotas": { may: managers },
  "POST /api/v1/quotas": {
    ids: { subject_id: "user" },
    say: ({ subject_id }) => ({ json: { ...amounts, scope: "person", subject_id, model: crypto.randomUUID() } }),
    may: both(managers, reference),
  },
  "PATCH /api/v1/quotas/:id": { ...quota, say: () => ({ json: { amount: 2_000_000 } }) },
  "DELETE /api/v1/quotas/:id": quota,
};
