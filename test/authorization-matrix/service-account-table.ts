import { both, managers, managersOf, reference, signedIn, type Row } from "./cells.ts";

/** Service accounts and their keys: for those who manage their organization, and for nobody's key. */
export const serviceAccountTable: Readonly<Record<string, Row>> = {
  "POST /api/v1/users/service_accounts": {
    ids: { organization_id: "organization" },
    say: ({ organization_id }) => ({ json: { name: "Probe", organization_id } }),
    may: both(managers, reference),
  },
  "POST /api/v1/users/:id/api_keys": {
    ids: { id: "service account" },
    say: () => ({ json: { name: "probe" } }),
    may: signedIn(managersOf),
  },
  "POST /api/v1/users/:id/api_keys/:key_id/rotate": {
    ids: { id: "service account", key_id: "service key" },
    say: () => ({ json: {} }),
    // A key is looked for in the account that the path names; of somebody else's, the two do not belong together.
    may: signedIn((cell) => (cell.variant.startsWith("foreign") ? both(managers, () => 404)(cell) : managersOf(cell))),
  },
};
