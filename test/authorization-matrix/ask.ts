import type { RequestOptions } from "../world.ts";
import {
  callers,
  credentials,
  variants,
  type Caller,
  type Cell,
  type Ids,
  type Kind,
  type Outcome,
  type Row,
} from "./cells.ts";
import { scimToken, type MatrixWorld, type Somebody } from "./matrix-world.ts";

/**
 * The cells of a route: each caller with each credential. With a JWT for each id in turn as each kind of thing; with a cookie or a
 * key for one's own and for one other kind, which changes from caller to caller and from route to route: whose thing it is is
 * decided by the same code, once the credential has become a person. Who is not let in at all has one cell: no id is read then.
 */
export function cellsOf(route: string, row: Row): Cell[] {
  const names: (string | undefined)[] = row.ids ? Object.keys(row.ids) : [undefined];
  return callers.flatMap((caller) =>
    credentialsOf(caller).flatMap((credential) => {
      const cell: Cell = { caller, credential, id: names[0], variant: "own" };
      if (row.ids === undefined || gateOutcome(route, cell) !== undefined) return [cell];
      const others = names.flatMap((id) => variants.slice(1).map((variant): Cell => ({ ...cell, id, variant })));
      if (credential !== "JWT") return [cell, others[nextOther++ % others.length]!];
      return [...names.map((id): Cell => ({ ...cell, id })), ...others];
    }),
  );
}

let nextOther = 0;

/** Strangers show nothing, and the identity provider has its one token. */
function credentialsOf(caller: Caller): readonly Cell["credential"][] {
  return caller === "anonymous" || caller === "identity provider" ? ["JWT"] : credentials;
}

/** What is looked for inside the thing that the first id names. */
const partKinds: ReadonlySet<Kind> = new Set([
  "message",
  "tool call",
  "passage",
  "held file",
  "directory",
  "prompt version",
  "channel webhook",
  "channel member",
  "channel answer",
  "channel message",
  "service key",
]);

/** What people who wait for approval may call: written down here, because the routes' own policies are what is tested. */
const pendingRoutes: ReadonlySet<string> = new Set([
  "GET /api/v1/events",
  "GET /api/v1/events/stream",
  "POST /api/v1/events/frames",
  "GET /api/v1/auths/",
  "GET /api/v1/auths/sessions",
  "GET /api/v1/auths/sign-ins",
  "DELETE /api/v1/auths/sessions/:id",
  "DELETE /api/v1/auths/sessions",
  "GET /api/v1/auths/admin/details",
]);

export const isProvisioning = (route: string): boolean => route.includes(" /api/v1/scim/v2/");
export const isRead = (route: string): boolean => route.startsWith("GET ");

/** For those who hold the key ring: no person's credential and no provider's token opens them. */
const isOperators = (route: string): boolean => route.includes(" /api/v1/operator/");

/** What comes out where the credential is not let in; undefined where it is. */
function gateOutcome(route: string, { caller, credential }: Cell): number | undefined {
  if (isOperators(route)) return 401;
  if (caller === "anonymous" || isProvisioning(route) !== (caller === "identity provider")) return 401;
  if (caller === "pending" && (credential.endsWith("key") || !pendingRoutes.has(route))) return 403;
  return credential === "restricted key" ? 401 : undefined;
}

/** What has to come out: first whether the credential is let in at all, then what the row says. */
function expected(route: string, row: Row, cell: Cell): Outcome {
  const refusal = gateOutcome(route, cell);
  if (refusal !== undefined) return refusal;
  const outcome = row.may(cell);
  // Whether the form of an id or the right is looked at first is the route's own business.
  return cell.variant === "malformed" && outcome === 403 ? [400, 403, 404, 422] : outcome;
}

export function isAsExpected(status: number, outcome: Outcome): boolean {
  if (outcome === "ok") return status >= 200 && status < 300;
  return typeof outcome === "number" ? status === outcome : outcome.includes(status);
}

/** A request as it is sent: all that it takes is there, and nothing was asked yet. */
export interface Prepared {
  cell: Cell;
  outcome: Outcome;
  /** @param body sent instead of the one that fits */
  send(body?: string): Promise<{ status: number; text: string }>;
}

/** Makes what the cell's request needs. Where it will change or end something, that is its own. */
export async function prepare(world: MatrixWorld, route: string, row: Row, cell: Cell): Promise<Prepared> {
  const outcome = expected(route, row, cell);
  const fresh = outcome === "ok" && !isRead(route);
  const caller = await world.caller(cell.caller, fresh && row.spendsCaller === true);
  const ids: Record<string, string> = {};
  for (const [name, kind] of Object.entries(row.ids ?? {})) {
    const variant = name === cell.id ? cell.variant : "own";
    // A message of one's own is one of the chat that is meant.
    const isPart = partKinds.has(kind);
    const chatId = isPart && variant === "own" && cell.variant === "own" ? (ids["id"] ?? ids["chat_id"]) : undefined;
    ids[name] = await world.thing(kind, caller, variant, fresh, chatId);
  }
  const [path, options] = requestOf(route, row, ids);
  return {
    cell,
    outcome,
    async send(body) {
      const sent = withCredential(options, cell, caller);
      const headers = { ...sent.headers, "content-type": "application/json" };
      const response = await world.request(path, body === undefined ? sent : { ...sent, body, headers });
      return { status: response.status, text: await response.text() };
    },
  };
}

function requestOf(route: string, row: Row, ids: Ids): [string, RequestOptions] {
  const [method = "", pattern = ""] = route.split(" ");
  const { query = {}, json, form, headers = {} } = row.say?.(ids) ?? {};
  const path = pattern.replaceAll(/:([a-z_]+)(\{[^}]*\})?/g, (_, name: string) => encodeURIComponent(ids[name]!));
  const search = new URLSearchParams(query).toString();
  return [
    search ? `${path}?${search}` : path,
    {
      method,
      headers,
      ...(form ? { body: form } : {}),
      ...(json === undefined
        ? {}
        : { body: JSON.stringify(json), headers: { ...headers, "content-type": "application/json" } }),
    },
  ];
}

function withCredential(options: RequestOptions, { caller, credential }: Cell, somebody: Somebody): RequestOptions {
  if (caller === "anonymous") return options;
  if (caller === "identity provider") return { ...options, as: scimToken };
  if (credential === "JWT") return { ...options, as: somebody };
  if (credential === "cookie")
    return { ...options, cookie: somebody, headers: { ...options.headers, "sec-fetch-site": "same-origin" } };
  return { ...options, headers: { ...options.headers, "x-api-key": somebody.key } };
}
