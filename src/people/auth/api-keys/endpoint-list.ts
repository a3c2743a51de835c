import type { DeclaredRoute } from "../../../http/routes.ts";

/** A route as the app declares it: `GET /api/v1/chats/:id`, with the paths of the same thing. */
export type Route = Pick<DeclaredRoute, "method" | "path"> & { policy: Pick<DeclaredRoute["policy"], "siblings"> };

/** One entry of the list that administrators write. */
interface Entry {
  /** As written. */
  text: string;
  /** Undefined for all methods. */
  method: string | undefined;
  /** Undefined if it matches no route. */
  path: string | undefined;
  /** Whether everything below is included. */
  subtree: boolean;
}

/** The list for administrators: typos are listed under `unknown` and allow nothing. */
export interface ExplainedList {
  entries: { entry: string; routes: string[] }[];
  unknown: string[];
}

/** Lists that are kept in parsed form: that of the settings, and those of single keys. */
const maxCompiled = 200;

const parameter = /^(:[\w-]+(\{.*\})?|\{[\w-]+\})$/;

/** Normalizes a pattern: without a trailing slash and without names of parameters. */
function normalize(pattern: string): string {
  return pattern
    .replace(/\/$/, "")
    .split("/")
    .map((segment) => (parameter.test(segment) ? ":" : segment))
    .join("/");
}

const form = /^(?:([A-Za-z]+)\s+)?(\/\S*)$/;

function parse(list: string): Entry[] {
  return list
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => {
      const [, method, path] = form.exec(text) ?? [];
      const subtree = path?.endsWith("/*") === true;
      return {
        text,
        // A HEAD is answered by the route of its GET.
        method: method?.toUpperCase().replace(/^HEAD$/, "GET"),
        path: path && normalize(subtree ? path.slice(0, -2) : path),
        subtree,
      };
    });
}

/** @param path normalized */
function fits(entry: Entry, method: string, path: string): boolean {
  if (entry.path === undefined || (entry.method !== undefined && entry.method !== method)) return false;
  return path === entry.path || (entry.subtree && path.startsWith(`${entry.path}/`));
}

/**
 * The rules of the list: entries name route patterns, so that what is let through is decided by the route that answers and
 * never by how a path is spelled. An entry for one of the paths of the same thing counts for all of them.
 */
export function createEndpointList() {
  const compiled = new Map<string, Entry[]>();
  const entriesOf = (list: string) => {
    const known = compiled.get(list);
    if (known) return known;
    const entries = parse(list);
    if (compiled.size >= maxCompiled) compiled.delete(compiled.keys().next().value!);
    compiled.set(list, entries);
    return entries;
  };
  const matches = (entry: Entry, { method, path, policy }: Route) =>
    [path, ...policy.siblings].some((sibling) => fits(entry, method, normalize(sibling)));
  return {
    /** Whether an entry of the list matches this route. */
    includes: (list: string, route: Route): boolean => entriesOf(list).some((entry) => matches(entry, route)),
    /** The routes that each entry matches. */
    explain(list: string, routes: readonly Route[]): ExplainedList {
      const entries = entriesOf(list).map((entry) => ({
        entry: entry.text,
        routes: routes.filter((route) => matches(entry, route)).map(({ method, path }) => `${method} ${path}`),
      }));
      return { entries, unknown: entries.filter((entry) => entry.routes.length === 0).map(({ entry }) => entry) };
    },
  };
}

export type EndpointList = ReturnType<typeof createEndpointList>;

/**
 * Whether the path contains the pattern's fixed parts literally. A router decodes `%6d` to `m`; a path that matches
 * only after decoding does not count.
 * @param path as received
 */
export function isSpelledAs(path: string, pattern: string): boolean {
  const given = path.split("/");
  return pattern.split("/").every((segment, at) => segment === "*" || parameter.test(segment) || segment === given[at]);
}
