import type { Context as HonoContext } from "hono";
import { matchedRoutes } from "hono/route";
import { smallBody } from "./body.ts";
import { renderProblem } from "./render-problem.ts";
import { Router, type AppEnvironment, type DeclaredRoute, type FoundRoute, type RoutePolicy } from "./routes.ts";

/** Where neither a route nor its router says otherwise. */
const defaultPolicy: RoutePolicy = {
  access: "approved",
  dialect: renderProblem,
  maxBody: smallBody,
  mendsTexts: false,
  readsBody: false,
  siblings: [],
};

/** All routes of these routers with their policies, as they were declared. */
export function declaredRoutes(routers: readonly Router[]): DeclaredRoute[] {
  return routers.flatMap((router) =>
    [...router.policies].map(([name, policy]) => {
      const [method = "", path = ""] = name.split(" ");
      return { method, path, policy: { ...defaultPolicy, ...policy } };
    }),
  );
}

/** Finds the route that answers a request. @param routers those that are mounted */
export function createRouteFinder(routers: readonly Router[]): (c: HonoContext<AppEnvironment>) => FoundRoute {
  const routes = declaredRoutes(routers);
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const owners = routers
    .flatMap(({ owns, policy }) => owns.map((path) => ({ path, policy: { ...defaultPolicy, ...policy } })))
    .toSorted((one, other) => other.path.length - one.path.length);
  const policyBelow = (path: string) =>
    owners.find((owner) => path === owner.path || path.startsWith(`${owner.path}/`))?.policy ?? defaultPolicy;
  return (c) => {
    const matched = matchedRoutes(c).find(({ method }) => method !== "ALL");
    const declared = matched && byName.get(`${matched.method} ${matched.path}`);
    return { declared, policy: declared?.policy ?? policyBelow(c.req.path) };
  };
}

/**
 * One router with all of these. The order in which they come decides nothing: of two patterns that fit a path, the one with
 * the earlier fixed segment answers.
 */
export function joinRouters(routers: readonly Router[]): Router {
  const joined = new Router();
  for (const router of routers) joined.include(router);
  const undeclared = joined.routes.find(
    ({ method, path }) => method !== "ALL" && !joined.policies.has(`${method} ${path}`),
  );
  if (undeclared) throw new Error(`The route ${undeclared.method} ${undeclared.path} has no policy`);
  refuseRivals(declaredRoutes(routers));
  const sorted = joined.routes
    .map((route) => ({ route, ranks: ranksOf(route.path) }))
    .sort((one, other) => compareRanks(one.ranks, other.ranks))
    .map(({ route }) => route);
  const isMiddleware = ({ method, path }: (typeof sorted)[number]) => method === "ALL" && path.endsWith("*");
  joined.routes = [
    ...joined.routes.filter(isMiddleware),
    ...sorted.filter(({ method }) => method !== "ALL"),
    // What answers all methods of a path answers those that no route has.
    ...sorted.filter((route) => route.method === "ALL" && !isMiddleware(route)),
  ];
  return joined;
}

/** Two names for one parameter make two routes of which only one can ever answer. */
function refuseRivals(routes: readonly DeclaredRoute[]): void {
  const seen = new Map<string, string>();
  for (const { method, path } of routes) {
    const shape = `${method} ${path.replaceAll(/:[^/]+/g, ":")}`;
    const other = seen.get(shape);
    if (other !== undefined) throw new Error(`The routes ${method} ${path} and ${other} answer the same paths`);
    seen.set(shape, `${method} ${path}`);
  }
}

/** Segment by segment, how little it says: 0 a fixed one, 1 a parameter, 2 anything. */
function ranksOf(path: string): number[] {
  return path.split("/").map((segment) => (segment === "*" ? 2 : segment.startsWith(":") ? 1 : 0));
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((rank, index) => rank !== other[index]);
  return at === -1 ? one.length - other.length : one[at]! - (other[at] ?? -1);
}
