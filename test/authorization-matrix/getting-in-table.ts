import { both, managers, managersOf, reference, systemAdmin, systemAdminOf, type Row } from "./cells.ts";

/** Invitations, links for new passwords and the mail server, as rows of the table. */
export const gettingInTable: Readonly<Record<string, Row>> = {
  "GET /api/v1/invitations": { may: managers },
  "POST /api/v1/invitations": {
    ids: { organization_id: "organization" },
    say: ({ organization_id }) => ({ json: { organization_id } }),
    may: both(managers, reference),
  },
  "DELETE /api/v1/invitations/:id": { ids: { id: "invitation" }, may: managersOf },
  "POST /api/v1/users/:id/reset_link": { ids: { id: "user" }, may: systemAdminOf },
  "GET /api/v1/mail": { may: systemAdmin },
  "PUT /api/v1/mail/password": { say: () => ({ json: { password: "correct horse" } }), may: systemAdmin },
  // Without a mail server there is none to be talked to, and that is said.
  "POST /api/v1/mail/test": { say: () => ({ json: { to: "ada@harbour.example" } }), may: systemAdmin },
};
