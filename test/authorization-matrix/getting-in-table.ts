import {
  always,
  both,
  everyone,
  managers,
  managersOf,
  owner,
  reference,
  signedIn,
  systemAdmin,
  systemAdminOf,
  type Row,
} from "./cells.ts";
import { password } from "./matrix-world.ts";

/** Invitations, links for new passwords and the mail server, as rows of the table. */
export const gettingInTable: Readonly<Record<string, Row>> = {
  "GET /api/v1/invitations": { may: managers },
  "POST /api/v1/invitations": {
    ids: { organization_id: "organization" },
    say: ({ organization_id }) => ({ json: { organization_id } }),
    may: both(managers, reference),
  },
  "POST /api/v1/invitations/many": {
    ids: { organization_id: "organization" },
    say: ({ organization_id }) => ({ json: { emails: [`${crypto.randomUUID()}@harbour.example`], organization_id } }),
    may: both(managers, reference),
  },
  "DELETE /api/v1/invitations/:id": { ids: { id: "invitation" }, may: managersOf },
  "POST /api/v1/users/:id/reset_link": { ids: { id: "user" }, may: systemAdminOf },
  "DELETE /api/v1/users/:id/second_factor": { ids: { id: "user" }, may: systemAdminOf },
  "GET /api/v1/auths/second_factor": { may: signedIn(everyone) },
  "POST /api/v1/auths/second_factor/start": {
    say: () => ({ json: { password } }),
    spendsCaller: true,
    may: signedIn(everyone),
  },
  // Nobody of the matrix has one: there is nothing to be finished, and no code is right.
  "POST /api/v1/auths/second_factor/confirm": { say: () => ({ json: { code: "000000" } }), may: signedIn(always(409)) },
  "POST /api/v1/auths/second_factor/recovery_codes": {
    say: () => ({ json: { code: "000000" } }),
    spendsCaller: true,
    may: signedIn(always([400, 429])),
  },
  "POST /api/v1/auths/second_factor/remove": {
    say: () => ({ json: { code: "000000" } }),
    spendsCaller: true,
    may: signedIn(always([400, 429])),
  },
  "POST /api/v1/auths/passkeys/start": {
    say: () => ({ json: { password } }),
    spendsCaller: true,
    may: signedIn(everyone),
  },
  // Nobody of the matrix has a browser that would sign anything: test/people/auth/passkeys/.
  "POST /api/v1/auths/passkeys": {
    say: () => ({
      json: {
        name: "Laptop",
        credential: {
          id: "YQ",
          rawId: "YQ",
          type: "public-key",
          response: { clientDataJSON: "YQ", attestationObject: "YQ" },
        },
      },
    }),
    may: signedIn(always(400)),
  },
  "PATCH /api/v1/auths/passkeys/:id": {
    ids: { id: "passkey" },
    say: () => ({ json: { name: "Phone" } }),
    may: signedIn(owner),
  },
  "POST /api/v1/auths/passkeys/:id/remove": {
    ids: { id: "passkey" },
    say: () => ({ json: { password } }),
    spendsCaller: true,
    may: signedIn(owner),
  },
  "GET /api/v1/mail": { may: systemAdmin },
  "PUT /api/v1/mail/password": { say: () => ({ json: { password: "correct horse" } }), may: systemAdmin },
  // Without a mail server there is none to be talked to, and that is said.
  "POST /api/v1/mail/test": { say: () => ({ json: { to: "ada@harbour.example" } }), may: systemAdmin },
};
