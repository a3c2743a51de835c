import { requireManager } from "../../access.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { sendSignedIn } from "../auth/sign-in/answer-signed-in.ts";
import { readClient } from "../auth/sign-in/read-client.ts";
import { done, signInResponse } from "../auth/sign-in/schema.ts";
import { idParam } from "../schema.ts";
import { acceptInvitation, readInvitation } from "./accept-invitation.ts";
import { keepInvitation } from "./invitation-cookie.ts";
import { inviteMany } from "./invite-many.ts";
import { createInvitation, listInvitations, revokeInvitation } from "./manage-invitations.ts";
import {
  acceptedInvitation,
  invitation,
  invitationList,
  madeInvitation,
  manyInvitations,
  newInvitation,
  newInvitations,
  offeredInvitation,
  presentedInvitation,
} from "./schema.ts";

const base = "/api/v1/invitations";

const list = defineRoute({
  method: "get",
  path: base,
  requires: requireManager,
  summary: "Invitations with their state, newest first (administrators)",
  responses: answers("The invitations", invitationList),
});
const create = defineRoute({
  method: "post",
  path: base,
  requires: requireManager,
  summary: "Invite somebody by a link that works once (administrators)",
  request: jsonBody(newInvitation),
  responses: answers("The invitation; only this answer has its link", madeInvitation),
});
const createMany = defineRoute({
  method: "post",
  path: `${base}/many`,
  requires: requireManager,
  summary: "Invite several addresses, each by a link of its own (administrators)",
  request: jsonBody(newInvitations),
  responses: answers("The invitations; only this answer has their links", manyInvitations),
});
const revoke = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  requires: requireManager,
  summary: "Take an invitation back (administrators)",
  request: { params: idParam },
  responses: answers("The invitation", invitation),
});
const look = defineRoute({
  method: "post",
  path: `${base}/look`,
  access: "public",
  summary: "What an invitation is about, for somebody who has its link",
  request: jsonBody(presentedInvitation),
  responses: answers("The invitation", offeredInvitation),
});
const accept = defineRoute({
  method: "post",
  path: `${base}/accept`,
  access: "public",
  summary: "Use an invitation: create the account and sign in",
  request: jsonBody(acceptedInvitation),
  responses: answers("The session; its token is also set as a cookie", signInResponse),
});
const keep = defineRoute({
  method: "post",
  path: `${base}/sso`,
  access: "public",
  summary: "Use an invitation with the next sign-in through an identity provider in this browser",
  request: jsonBody(presentedInvitation),
  responses: answers("A cookie holds it for 10 minutes", done),
});

export function invitationRoutes() {
  const router = createRouter();
  router.openapi(list, async (c) => c.json(await listInvitations(contextOf(c)), 200));
  router.openapi(create, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await createInvitation(contextOf(c), c.req.valid("json")), 200);
  });
  router.openapi(createMany, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await inviteMany(contextOf(c), c.req.valid("json")), 200);
  });
  router.openapi(revoke, async (c) => c.json(await revokeInvitation(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(look, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await readInvitation(contextOf(c), c.req.valid("json").token), 200);
  });
  router.openapi(accept, async (c) => {
    const client = await readClient(c);
    return sendSignedIn(c, await acceptInvitation(contextOf(c), c.req.valid("json"), client), client.device);
  });
  router.openapi(keep, async (c) => {
    const ctx = contextOf(c);
    const { token } = c.req.valid("json");
    await readInvitation(ctx, token);
    c.header("set-cookie", await keepInvitation(ctx, token));
    c.header("cache-control", "no-store");
    return c.json({ status: true as const }, 200);
  });
  return router;
}
