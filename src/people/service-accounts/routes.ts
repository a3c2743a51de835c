import { requireManager } from "../../access.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { idParam } from "../schema.ts";
import { listedUser } from "../users/schema.ts";
import { createServiceAccount } from "./create-service-account.ts";
import { keyParams, keyRotation, madeServiceKey, newServiceAccount, newServiceKey } from "./schema.ts";
import { createServiceKey, requireServiceKeys, rotateServiceKey } from "./service-keys.ts";

const create = defineRoute({
  method: "post",
  path: "/api/v1/users/service_accounts",
  requires: requireManager,
  summary: "Create a service account, which nobody can sign in to (administrators)",
  request: jsonBody(newServiceAccount),
  responses: answers("The account", listedUser),
});
const createKey = defineRoute({
  method: "post",
  path: "/api/v1/users/{id}/api_keys",
  requires: requireServiceKeys,
  summary:
    "Create an API key of a service account; the secret is in this response only (administrators). Needs a session, not a key",
  request: { params: idParam, ...jsonBody(newServiceKey) },
  responses: answers("The key with its secret", madeServiceKey),
});
const rotateKey = defineRoute({
  method: "post",
  path: "/api/v1/users/{id}/api_keys/{key_id}/rotate",
  requires: requireServiceKeys,
  summary: "Give an API key of a service account a new secret (administrators). Needs a session, not a key",
  request: { params: keyParams, ...jsonBody(keyRotation) },
  responses: answers("The new key with its secret", madeServiceKey),
});

export function serviceAccountRoutes() {
  const router = createRouter();
  router.openapi(create, async (c) => c.json(await createServiceAccount(contextOf(c), c.req.valid("json")), 200));
  router.openapi(createKey, async (c) => {
    const made = await createServiceKey(contextOf(c), c.req.valid("param").id, c.req.valid("json"), c.get("routes"));
    c.header("cache-control", "no-store");
    return c.json(made, 200);
  });
  router.openapi(rotateKey, async (c) => {
    const { id, key_id: keyId } = c.req.valid("param");
    const made = await rotateServiceKey(contextOf(c), id, keyId, c.req.valid("json"));
    c.header("cache-control", "no-store");
    return c.json(made, 200);
  });
  return router;
}
