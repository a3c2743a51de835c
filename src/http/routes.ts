import { OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import type { Context as HonoContext, Handler, MiddlewareHandler } from "hono";
import type { Context, Services } from "../context.ts";
import type { BodyPlace } from "./body-budget.ts";
import type { RenderError } from "./render-problem.ts";
import { validationError } from "./validation-error.ts";

/** What middleware sets for handlers. */
export interface Variables {
  ctx: Context;
  requestId: string;
  /** The route that answers, with its policy. */
  route: FoundRoute;
  /** Every route of the service. */
  routes: readonly DeclaredRoute[];
  /** Of the request's body in memory. */
  bodyPlace?: BodyPlace;
  /** Whom the request's body was charged to, and how much. */
  body?: { person: string; units: number };
}

/** The environment of a request contains its services; the app itself is built once. */
export type AppEnvironment = { Variables: Variables; Bindings: Services };

/** What `RATE_LIMITS` counts separately. */
export type RateClass = "models" | "uploads" | "searches" | "reads" | "writes";

/** What holds for a route before its handler is called. Each route or its router says it; `defaultPolicy` has the rest. */
export interface RoutePolicy {
  /**
   * Who may call: anyone (`bare`: without even settings), anyone, signed in or not (`public`), anyone with a session
   * (`session`: people who wait for approval too), or approved people.
   */
  access: "bare" | "public" | "session" | "approved";
  /**
   * The right that every call needs: the verb's own check, such as `requireAdmin`. It is asked before the body is read, so
   * that those who may not call learn nothing about what a call looks like.
   */
  requires?: (ctx: Context) => unknown;
  /** Whether this request may bring its key in `x-api-key`, as clients of the Messages API do. */
  takesXApiKey?: (headers: Headers) => boolean;
  /** What it counts as under `RATE_LIMITS`; by its method where it does not say. */
  rate?: RateClass;
  /** Lets requests in instead of the sign-in gate. */
  gate?: MiddlewareHandler<AppEnvironment>;
  /** How errors are written. */
  dialect: RenderError;
  /** Largest JSON body, in bytes. */
  maxBody: number;
  /** The verb repairs half characters in texts, or keeps the JSON as it is: such bodies are not refused. */
  mendsTexts: boolean;
  /** The handler reads its body itself, within a limit of its own. */
  readsBody: boolean;
  /** Paths of the same thing: where the list of endpoints for API keys names one of them, all are meant. */
  siblings: readonly string[];
}

/** A route as Hono knows it: `GET /api/v1/chats/:id`. */
export interface DeclaredRoute {
  method: string;
  /** The pattern, not the path that was asked for. */
  path: string;
  policy: RoutePolicy;
}

/** The route of a request. `declared` is undefined for unknown paths; `policy` is then that of the router that owns the path. */
export interface FoundRoute {
  declared: DeclaredRoute | undefined;
  policy: RoutePolicy;
}

/** A policy that holds for all routes of a router that do not say otherwise. */
export interface RouterOptions extends Partial<RoutePolicy> {
  /** Paths that belong to the router with all that is below them: what is unknown there falls under its policy too. */
  owns?: readonly string[];
}

const policyKeys = [
  "access",
  "requires",
  "takesXApiKey",
  "rate",
  "gate",
  "dialect",
  "maxBody",
  "mendsTexts",
  "readsBody",
  "siblings",
] as const satisfies readonly (keyof RoutePolicy)[];

type Declaration = Omit<RouteConfig, "path"> & Partial<RoutePolicy>;
/** No field that is neither OpenAPI's nor a policy: a typing error would otherwise open a route. */
type Known<R> = Record<Exclude<keyof R, keyof RouteConfig | keyof RoutePolicy>, never>;

/** A route as OpenAPI describes it, with its policy where that is not its router's. */
export function defineRoute<P extends string, R extends Declaration & { path: P }>(route: R & Known<R>): R {
  return route;
}

/** A router that keeps the policy of each of its routes. Its validation errors are `AppError`s, as each dialect words them. */
export class Router extends OpenAPIHono<AppEnvironment> {
  /** By method and path as Hono writes them. A route that is missing here cannot be mounted. */
  readonly policies = new Map<string, Partial<RoutePolicy>>();
  readonly owns: readonly string[];
  readonly policy: Partial<RoutePolicy>;

  constructor({ owns = [], ...policy }: RouterOptions = {}) {
    super({
      defaultHook(result) {
        if (!result.success) throw validationError(result.error);
      },
    });
    this.owns = owns;
    this.policy = policy;
    const { openapi } = this;
    this.openapi = (route, handler, hook) => openapi(this.#declare(route), handler, hook);
  }

  /** Documents a route and serves it without validation: its handler reads the request itself. */
  raw<R extends RouteConfig & Partial<RoutePolicy>>(route: R & Known<R>, handler: Handler<AppEnvironment>): this {
    const { hide, ...documented } = this.#declare(route);
    if (!hide) this.openAPIRegistry.registerPath(documented);
    this.on(route.method, routingPath(route.path), handler);
    return this;
  }

  /** Takes in all routes of another router, each with its policy. */
  include(router: Router): this {
    for (const [name, policy] of router.policies) this.#note(name, policy);
    this.route("/", router);
    return this;
  }

  /** Keeps the policy, and leaves what OpenAPI knows. */
  #declare<R extends RouteConfig & Partial<RoutePolicy>>(route: R): R {
    const isPolicy = ([key]: [string, unknown]) => policyKeys.some((known) => known === key);
    const fields = Object.entries(route);
    const policy: Partial<RoutePolicy> = Object.fromEntries(fields.filter(isPolicy));
    if (policy.siblings) policy.siblings = policy.siblings.map(routingPath);
    this.#note(`${route.method.toUpperCase()} ${routingPath(route.path)}`, policy);
    return Object.fromEntries(fields.filter((field) => !isPolicy(field))) as R;
  }

  #note(name: string, policy: Partial<RoutePolicy>): void {
    if (this.policies.has(name)) throw new Error(`The route ${name} is declared twice`);
    this.policies.set(name, { ...this.policy, ...policy });
  }
}

export function createRouter(options: RouterOptions = {}): Router {
  return new Router(options);
}

/** `/chats/{id}` of OpenAPI is `/chats/:id` of Hono. */
function routingPath(path: string): string {
  return path.replaceAll(/\/\{(.+?)\}/g, "/:$1");
}

/** The context of a request. */
export function contextOf(c: HonoContext<AppEnvironment>): Context {
  return c.get("ctx");
}
