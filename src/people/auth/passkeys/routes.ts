import { answers, jsonBody } from "../../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
import { idParam } from "../../schema.ts";
import { requirePerson } from "../second-factor/confirm-person.ts";
import { sendSignedIn } from "../sign-in/answer-signed-in.ts";
import { readClient } from "../sign-in/read-client.ts";
import { done, signInResponse } from "../sign-in/schema.ts";
import { addPasskey, startPasskey } from "./add-passkey.ts";
import { removePasskey, renamePasskey, requireOwner } from "./own-passkeys.ts";
import {
  addedPasskey,
  creationOptions,
  newPasskey,
  passkey,
  passkeyChange,
  passkeySignIn,
  passkeyStart,
  requestOptions,
} from "./schema.ts";
import { signInWithPasskey, startPasskeySignIn } from "./sign-in-with-passkey.ts";

const base = "/api/v1/auths/passkeys";
const signInBase = "/api/v1/auths/signin/passkey";
const noStore = { "cache-control": "no-store" };

/** Open to people who have to set a second factor up before anything else. */
const session = { access: "session", requires: requirePerson } as const;

const signInStart = defineRoute({
  method: "post",
  path: `${signInBase}/start`,
  access: "public",
  summary: "Begin to sign in with a passkey",
  responses: answers("What the browser needs; it is good for five minutes and for one sign-in", requestOptions),
});
const signIn = defineRoute({
  method: "post",
  path: signInBase,
  access: "public",
  summary: "Sign in with a passkey, without a password",
  request: jsonBody(passkeySignIn),
  responses: answers("The session; its token is also set as a cookie", signInResponse),
});
const start = defineRoute({
  ...session,
  method: "post",
  path: `${base}/start`,
  summary: "Begin to add a passkey",
  request: jsonBody(passkeyStart),
  responses: answers("What the browser needs; it is good for five minutes and in this session", creationOptions),
});
const add = defineRoute({
  ...session,
  method: "post",
  path: base,
  summary: "Add the passkey that the browser made",
  request: jsonBody(newPasskey),
  responses: answers("The passkey; with the first factor also recovery codes, in this answer only", addedPasskey),
});
const rename = defineRoute({
  method: "patch",
  path: `${base}/{id}`,
  requires: requireOwner,
  summary: "Rename one of the caller's passkeys",
  request: { params: idParam, ...jsonBody(passkeyChange) },
  responses: answers("The passkey", passkey),
});
const remove = defineRoute({
  method: "post",
  path: `${base}/{id}/remove`,
  requires: requireOwner,
  summary: "Remove one of the caller's passkeys",
  request: { params: idParam, ...jsonBody(passkeyStart) },
  responses: answers("Removed", done),
});

export function passkeyRoutes() {
  const router = createRouter();
  router.openapi(signInStart, async (c) => c.json(await startPasskeySignIn(contextOf(c)), 200, noStore));
  router.openapi(signIn, async (c) => {
    const client = await readClient(c);
    const session = await signInWithPasskey(contextOf(c), c.req.valid("json").credential, client);
    return sendSignedIn(c, session, client.device);
  });
  router.openapi(start, async (c) =>
    c.json(await startPasskey(contextOf(c), c.req.valid("json").password), 200, noStore),
  );
  router.openapi(add, async (c) => c.json(await addPasskey(contextOf(c), c.req.valid("json")), 200, noStore));
  router.openapi(rename, async (c) =>
    c.json(await renamePasskey(contextOf(c), c.req.valid("param").id, c.req.valid("json").name), 200),
  );
  router.openapi(remove, async (c) => {
    await removePasskey(contextOf(c), c.req.valid("param").id, c.req.valid("json").password);
    return c.json({ status: true as const }, 200);
  });
  return router;
}
