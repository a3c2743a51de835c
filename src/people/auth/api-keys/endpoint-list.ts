/** A route as the app declares it: `GET /api/v1/chats/:id`. */
export interface Route {
  method: string;
  /** The pattern, not the path that was asked for. */
  path: string;
}

/** One entry of the list that administrators write. */
interface Entry {
  /** As it was written. */
  text: string;
  /** Undefined for all methods. */
  method: string | undefined;
  /** Undefined for what names no route at all. */
  path: string | undefined;
  /** Whether everything below is meant too. */
  subtree: boolean;
}

/** What administrators see of the list: a typo stands under `unknown` and lets nothing through. */
export interface ExplainedList {
  entries: { entry: string; routes: string[] }[];
  unknown: string[];
}

const parameter = /^(:[\w-]+(\{.*\})?|\{[\w-]+\})$/;

/** One spelling for each pattern: without a slash at the end, and with the names of parameters left out. */
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
 * never by how a path is spelled.
 * @param siblings groups of paths that are the same thing: an entry for one counts for all
 */
export function createEndpointList(siblings: readonly (readonly string[])[]) {
  const groups = new Map(siblings.flatMap((group) => group.map((path) => [normalize(path), group.map(normalize)])));
  let compiled: { list: string; entries: Entry[] } = { list: "", entries: [] };
  const entriesOf = (list: string) => {
    if (compiled.list !== list) compiled = { list, entries: parse(list) };
    return compiled.entries;
  };
  const matches = (entry: Entry, { method, path }: Route) => {
    const own = normalize(path);
    return (groups.get(own) ?? [own]).some((sibling) => fits(entry, method, sibling));
  };
  return {
    /** Whether an entry of the list means this route. */
    includes: (list: string, route: Route): boolean => entriesOf(list).some((entry) => matches(entry, route)),
    /** Which routes each entry means. */
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
 * Whether the path says the pattern's fixed parts letter by letter. A router takes `%6d` for `m`; what only looks like a
 * listed path after it was taken apart is not the listed one.
 * @param path as it was sent
 */
export function isSpelledAs(path: string, pattern: string): boolean {
  const given = path.split("/");
  return pattern.split("/").every((segment, at) => segment === "*" || parameter.test(segment) || segment === given[at]);
}
