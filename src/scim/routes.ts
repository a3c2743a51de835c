import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import type { Context as HonoContext, MiddlewareHandler } from "hono";
import * as z from "zod";
import { AppError } from "../errors.ts";
import { readJson } from "../http/body.ts";
import { type AppEnvironment, contextOf, createRouter } from "../http/routes.ts";
import { isRecord } from "../lib/json.ts";
import { isNoted } from "./audited-write.ts";
import { resourceTypes, serviceProviderConfig } from "./discovery/configuration.ts";
import { schemas } from "./discovery/schemas.ts";
import { createGroup, deleteGroup, getGroup, listGroups, patchGroup, replaceGroup } from "./groups/groups.ts";
import type { WrittenGroup } from "./groups/write-group.ts";
import { errorDetail, failedAction, noteRequest } from "./note-request.ts";
import { scimBase } from "./paths.ts";
import { parseProjection, project, type Projection } from "./projection.ts";
import { scimContentType } from "./render-error.ts";
import { requireProvisioner } from "./require-provisioner.ts";
import { listOf, scimErrorBody, scimGroup, scimList, scimUser } from "./schema.ts";
import { ScimError } from "./scim-error.ts";
import { createUser } from "./users/create-user.ts";
import { getUser, listUsers } from "./users/read-users.ts";
import { deactivateUser, patchUser, replaceUser } from "./users/update-user.ts";

type Request = HonoContext<AppEnvironment>;

/** Largest body, in bytes: a group of some ten thousand members. Its ids are one parameter, and sqld takes none of 5 MB. */
const largestBody = 4_000_000;

/** Most members in the answer to a PATCH that does not say what it wants to see; above that it is 204. */
const mostMembers = 100;

const content = <T extends z.ZodType>(schema: T) => ({ [scimContentType]: { schema } });
const answer = <T extends z.ZodType>(description: string, schema: T) => ({ description, content: content(schema) });
const failure = { default: answer("What went wrong, in SCIM's words", scimErrorBody) };
const anything = z.record(z.string(), z.unknown());
const body = { required: true, content: content(anything) };
const shown = { attributes: z.string().optional(), excludedAttributes: z.string().optional() };
const shownQuery = z.object(shown);
const listQuery = z.object({
  ...shown,
  filter: z.string().optional(),
  startIndex: z.string().optional(),
  count: z.string().optional(),
  sortBy: z.string().optional(),
  sortOrder: z.string().optional(),
});
const params = z.object({ id: z.string() });

/** Everything is read by SCIM's own rules, so what is declared here is for the documentation. */
function declare(
  method: RouteConfig["method"],
  path: string,
  summary: string,
  request: RouteConfig["request"],
  responses: RouteConfig["responses"],
) {
  return createRoute({
    method,
    path: `${scimBase}${path}`,
    summary,
    tags: ["SCIM"],
    ...(request && { request }),
    responses: { ...responses, ...failure },
  });
}

const gone = { 204: { description: "Done" } };

/** The identity provider's half of the service: SCIM 2.0 (RFC 7643, RFC 7644). */
export function scimRoutes() {
  const router = createRouter();
  router.use(`${scimBase}/*`, noteFailures());
  const add = (route: RouteConfig, handler: (c: Request) => Response | Promise<Response>) => {
    router.openAPIRegistry.registerPath(route);
    router.on(route.method, route.path.replace("{id}", ":id"), handler);
  };

  for (const [path, read] of [
    ["/ServiceProviderConfig", serviceProviderConfig],
    ["/ResourceTypes", (ctx: { origin: string }) => all(resourceTypes(ctx))],
    ["/Schemas", (ctx: { origin: string }) => all(schemas(ctx))],
  ] as const) {
    add(declare("get", path, "What SCIM can do here", undefined, { 200: answer("As asked", anything) }), (c) => {
      if (c.req.query("filter") !== undefined)
        throw new AppError("forbidden", "Nothing can be filtered here (RFC 7644, section 4)");
      noteDiscovery(c);
      return say(200, read(contextOf(c)));
    });
  }
  for (const [path, list] of [
    ["/ResourceTypes/{id}", resourceTypes],
    ["/Schemas/{id}", schemas],
  ] as const) {
    const route = declare("get", path, "One of them", { params }, { 200: answer("As asked", anything) });
    add(route, (c) => {
      const found = list(contextOf(c)).find((entry) => entry.id === idOf(c));
      if (!found) throw new AppError("not_found", "There is no such thing");
      noteDiscovery(c);
      return say(200, found);
    });
  }

  add(
    declare("get", "/Users", "Find people", { query: listQuery }, { 200: answer("A page of them", scimList) }),
    async (c) => say(200, await listUsers(contextOf(c), c.req.query())),
  );
  add(
    declare(
      "post",
      "/Users/.search",
      "Find people, with the query in the body",
      { body },
      { 200: answer("A page of them", scimList) },
    ),
    async (c) => say(200, await listUsers(contextOf(c), await readSearch(c))),
  );
  add(
    declare("post", "/Users", "Make an account", { query: shownQuery, body }, { 201: answer("The person", scimUser) }),
    async (c) => {
      const { resource, location } = await createUser(contextOf(c), await readBody(c), projectionOf(c));
      return say(201, resource, { location });
    },
  );
  add(
    declare("get", "/Users/{id}", "One person", { params, query: shownQuery }, { 200: answer("The person", scimUser) }),
    async (c) => say(200, await getUser(contextOf(c), idOf(c), projectionOf(c))),
  );
  add(
    declare(
      "put",
      "/Users/{id}",
      "Replace what is kept of a person",
      { params, query: shownQuery, body },
      { 200: answer("The person as they are now", scimUser) },
    ),
    async (c) => say(200, await replaceUser(contextOf(c), idOf(c), await readBody(c), projectionOf(c))),
  );
  add(
    declare(
      "patch",
      "/Users/{id}",
      "Change a person",
      { params, query: shownQuery, body },
      { 200: answer("The person as they are now", scimUser) },
    ),
    async (c) => say(200, await patchUser(contextOf(c), idOf(c), await readBody(c), projectionOf(c))),
  );
  add(declare("delete", "/Users/{id}", "Switch an account off; its data stays", { params }, gone), async (c) => {
    await deactivateUser(contextOf(c), idOf(c));
    return new Response(null, { status: 204 });
  });

  add(
    declare("get", "/Groups", "Find groups", { query: listQuery }, { 200: answer("A page of them", scimList) }),
    async (c) => say(200, await listGroups(contextOf(c), c.req.query())),
  );
  add(
    declare(
      "post",
      "/Groups/.search",
      "Find groups, with the query in the body",
      { body },
      { 200: answer("A page of them", scimList) },
    ),
    async (c) => say(200, await listGroups(contextOf(c), await readSearch(c))),
  );
  add(
    declare("post", "/Groups", "Make a group", { query: shownQuery, body }, { 201: answer("The group", scimGroup) }),
    async (c) => {
      const projection = projectionOf(c);
      const written = await createGroup(contextOf(c), await readBody(c), projection);
      return sayGroup(201, written, projection, { location: written.resource.meta.location });
    },
  );
  add(
    declare("get", "/Groups/{id}", "One group", { params, query: shownQuery }, { 200: answer("The group", scimGroup) }),
    async (c) => say(200, await getGroup(contextOf(c), idOf(c), projectionOf(c))),
  );
  add(
    declare(
      "put",
      "/Groups/{id}",
      "Replace what is kept of a group",
      { params, query: shownQuery, body },
      { 200: answer("The group as it is now", scimGroup) },
    ),
    async (c) => {
      const projection = projectionOf(c);
      return sayGroup(200, await replaceGroup(contextOf(c), idOf(c), await readBody(c), projection), projection);
    },
  );
  add(
    declare(
      "patch",
      "/Groups/{id}",
      "Change a group",
      { params, query: shownQuery, body },
      {
        200: answer("The group as it is now", scimGroup),
        204: {
          description: `Done; of a group of more than ${mostMembers} members, unless the query says what to show`,
        },
      },
    ),
    async (c) => {
      const projection = projectionOf(c);
      const isAsked = projection.only !== undefined || projection.without.size > 0;
      const wanted = isAsked ? { projection } : { projection, mostMembers };
      const written = await patchGroup(contextOf(c), idOf(c), await readBody(c), wanted);
      if (isAsked || written.memberCount <= mostMembers) return sayGroup(200, written, projection);
      return new Response(null, { status: 204, headers: unknownMembers(written) });
    },
  );
  add(declare("delete", "/Groups/{id}", "Delete a group", { params }, gone), async (c) => {
    await deleteGroup(contextOf(c), idOf(c));
    return new Response(null, { status: 204 });
  });

  return router;
}

function say(status: number, resource: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(resource), { status, headers: { ...headers, "content-type": scimContentType } });
}

function sayGroup(
  status: number,
  written: WrittenGroup,
  projection: Projection,
  headers: Record<string, string> = {},
): Response {
  return say(status, project(written.resource, projection), { ...headers, ...unknownMembers(written) });
}

/** People who could not be added are no reason to refuse the others; who looks finds them here, and in the audit. */
function unknownMembers({ unknown }: WrittenGroup): Record<string, string> {
  if (unknown.length === 0) return {};
  return {
    "x-scim-unknown-members": unknown
      .slice(0, 20)
      .map((id) => encodeURIComponent(id.slice(0, 100).toWellFormed()))
      .join(", "),
  };
}

function all(resources: Record<string, unknown>[]) {
  return listOf(resources, resources.length, 1);
}

function idOf(c: Request): string {
  return c.req.param("id") ?? "";
}

function projectionOf(c: Request): Projection {
  return parseProjection(c.req.query("attributes"), c.req.query("excludedAttributes"));
}

/** Whatever the content type says: JSON it must be. */
function readBody(c: Request): Promise<unknown> {
  return readJson(c.req.raw, largestBody);
}

async function readSearch(c: Request): Promise<Record<string, unknown>> {
  const search = await readBody(c);
  if (!isRecord(search)) throw new ScimError("invalidSyntax", "The body of a search is a JSON object");
  return search;
}

function noteDiscovery(c: Request): void {
  noteRequest(contextOf(c), {
    action: "scim.discovery.read",
    targetType: "scim",
    targetId: "",
    detail: { operation: "GET", path: c.req.path.slice(scimBase.length) },
  });
}

/** The row of every request that failed before its write could leave one. */
function noteFailures(): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    const ctx = contextOf(c);
    requireProvisioner(ctx);
    await next();
    if (c.res.status < 400 || (c.error && isNoted(c.error))) return;
    const path = c.req.path.slice(scimBase.length);
    const [, kind, id = ""] = /^\/(Users|Groups)(?:\/([^/]+))?$/.exec(path) ?? [];
    const detail =
      c.error instanceof AppError
        ? errorDetail(c.error)
        : { status: c.res.status, error: c.error ? "unexpected: the log has the cause" : "no such path" };
    noteRequest(ctx, {
      action: failedAction,
      targetType: kind === "Users" ? "user" : kind === "Groups" ? "group" : "scim",
      targetId: id,
      detail: { operation: c.req.method, path: path.slice(0, 300), ...detail },
    });
  };
}
