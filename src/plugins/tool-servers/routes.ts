import * as z from "zod";
import { inBase } from "../../http/base-path.ts";
import { answers, json, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { changeServer } from "./change-tool-server.ts";
import { createServer } from "./create-tool-server.ts";
import { disconnect, finishConnect, startConnect } from "./oauth/connect-account.ts";
import {
  connectAnswer,
  connectBody,
  newToolServer,
  toolServerAccess,
  toolServerChange,
  toolServerTrial,
  toolServerTrialResult,
  toolServerView,
} from "./schema.ts";
import { changeServerAccess, deleteServer, getServer, listServers } from "./tool-servers.ts";
import { verifyServer } from "./verify-tool-server.ts";

const base = "/api/v1/tool-servers";
const params = z.object({ id: z.string().min(1).max(100) });
const done = answers("Done", z.object({ status: z.literal(true) }));

const list = defineRoute({
  method: "get",
  path: base,
  summary: "The tool servers that the caller manages, can use, or owns",
  responses: answers("The servers", z.array(toolServerView)),
});
const create = defineRoute({
  method: "post",
  path: base,
  summary: "Create a tool server: for everyone, for one organization, or for the caller",
  request: jsonBody(newToolServer),
  responses: answers("The server", toolServerView),
});
const verify = defineRoute({
  method: "post",
  path: `${base}/verify`,
  summary: "Test a tool server, saved or not: lists its functions",
  request: jsonBody(toolServerTrial),
  responses: answers("The result", toolServerTrialResult),
});
const one = defineRoute({
  method: "get",
  path: `${base}/{id}`,
  summary: "Get a tool server",
  request: { params },
  responses: answers("The server", toolServerView),
});
const change = defineRoute({
  method: "patch",
  path: `${base}/{id}`,
  summary: "Update a tool server; only the fields in the body change",
  request: { params, ...jsonBody(toolServerChange) },
  responses: answers("The server", toolServerView),
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Delete a tool server with its key and all connections to it",
  request: { params },
  responses: done,
});
const access = defineRoute({
  method: "post",
  path: `${base}/{id}/access`,
  summary: "Set who can use a tool server",
  request: { params, ...jsonBody(toolServerAccess) },
  responses: answers("The server", toolServerView),
});
const connect = defineRoute({
  method: "post",
  path: `${base}/{id}/connect`,
  summary: "Connect the caller's account to the server (OAuth 2.1): returns the address to open in the browser",
  request: { params, body: json(connectBody) },
  responses: answers("The address of the server's sign-in", connectAnswer),
});
const unconnect = defineRoute({
  method: "delete",
  path: `${base}/{id}/connect`,
  summary: "Disconnect the caller's account from the server",
  request: { params },
  responses: done,
});
const callback = defineRoute({
  method: "get",
  path: "/oauth/tools/callback",
  // Comes from another origin and always ends on a page of ours: the verb looks at who it is.
  access: "public",
  summary: "Callback of a tool server's sign-in: redirects to the page where it started",
  responses: { 302: { description: "Redirect to the next page" } },
});

/** Servers whose functions models may call. Keys, header values and tokens can be written but never read. */
export function toolServerRoutes() {
  const router = createRouter();
  router.openapi(list, async (c) => c.json(await listServers(contextOf(c)), 200));
  router.openapi(create, async (c) => c.json(await createServer(contextOf(c), c.req.valid("json")), 200));
  router.openapi(verify, async (c) => c.json(await verifyServer(contextOf(c), c.req.valid("json")), 200));
  router.openapi(one, async (c) => c.json(await getServer(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(change, async (c) =>
    c.json(await changeServer(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteServer(contextOf(c), c.req.valid("param").id);
    return c.json({ status: true as const }, 200);
  });
  router.openapi(access, async (c) =>
    c.json(await changeServerAccess(contextOf(c), c.req.valid("param").id, c.req.valid("json").access_grants), 200),
  );
  router.openapi(connect, async (c) => {
    const { next } = c.req.valid("json");
    const { url, setCookie } = await startConnect(contextOf(c), c.req.valid("param").id, next);
    c.header("set-cookie", setCookie, { append: true });
    return c.json({ url }, 200);
  });
  router.openapi(unconnect, async (c) => {
    await disconnect(contextOf(c), c.req.valid("param").id);
    return c.json({ status: true as const }, 200);
  });
  router.openapi(callback, async (c) => {
    const answered = new URL(c.req.url).searchParams;
    const { location, setCookies } = await finishConnect(contextOf(c), answered, c.req.header("cookie"));
    c.header("cache-control", "no-store");
    // The address of this very page holds a code.
    c.header("referrer-policy", "no-referrer");
    for (const cookie of setCookies) c.header("set-cookie", cookie, { append: true });
    return c.redirect(inBase(contextOf(c), location), 302);
  });
  return router;
}
