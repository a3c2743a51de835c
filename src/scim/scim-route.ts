import type { RouteConfig } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { readJson } from "../http/body.ts";
import type { AppEnvironment } from "../http/routes.ts";
import { isRecord } from "../lib/json.ts";
import { scimBase } from "./paths.ts";
import { parseProjection, type Projection } from "./projection.ts";
import { scimContentType } from "./render-error.ts";
import { scimErrorBody } from "./schema.ts";
import { ScimError } from "./scim-error.ts";

export type ScimRequest = HonoContext<AppEnvironment>;

const content = <T extends z.ZodType>(schema: T) => ({ [scimContentType]: { schema } });

export const answer = <T extends z.ZodType>(description: string, schema: T) => ({
  description,
  content: content(schema),
});
const failure = { default: answer("A SCIM error", scimErrorBody) };

export const anything = z.record(z.string(), z.unknown());
export const body = { required: true, content: content(anything) };
export const idParams = z.object({ id: z.string() });
const shown = { attributes: z.string().optional(), excludedAttributes: z.string().optional() };
export const shownQuery = z.object(shown);
export const listQuery = z.object({
  ...shown,
  filter: z.string().optional(),
  startIndex: z.string().optional(),
  count: z.string().optional(),
  sortBy: z.string().optional(),
  sortOrder: z.string().optional(),
});
export const gone = { 204: { description: "Done" } };

/** A route for the documentation: requests are parsed by SCIM's own rules, not by these schemas. */
export function scimRoute(
  method: RouteConfig["method"],
  path: string,
  summary: string,
  request: RouteConfig["request"],
  responses: RouteConfig["responses"],
): RouteConfig {
  return {
    method,
    path: `${scimBase}${path}`,
    summary,
    tags: ["SCIM"],
    ...(request && { request }),
    responses: { ...responses, ...failure },
  };
}

export function say(status: number, resource: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(resource), { status, headers: { ...headers, "content-type": scimContentType } });
}

export function sayNothing(headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 204, headers });
}

export function idOf(c: ScimRequest): string {
  return c.req.param("id") ?? "";
}

export function projectionOf(c: ScimRequest): Projection {
  return parseProjection(c.req.query("attributes"), c.req.query("excludedAttributes"));
}

/** Reads JSON, regardless of the content type. */
export function readBody(c: ScimRequest): Promise<unknown> {
  return readJson(c);
}

/** The body of a search by POST. @throws ScimError `invalidSyntax`. */
export async function readSearch(c: ScimRequest): Promise<Record<string, unknown>> {
  const search = await readBody(c);
  if (!isRecord(search)) throw new ScimError("invalidSyntax", "The body of a search must be a JSON object");
  return search;
}
