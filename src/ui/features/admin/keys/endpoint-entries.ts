/** What one entry of the list of endpoints means, and what is wrong with it when it means none. */
export interface EntryState {
  entry: string;
  /** The endpoints it lets through, as in `GET /api/models`. */
  routes: string[];
  /** `form`: not an endpoint at all; `unknown`: there is no such endpoint. */
  wrong?: "form" | "unknown";
  /** What was probably meant. */
  suggestion?: string | undefined;
}

const form = /^(?:([A-Za-z]+)\s+)?(\/\S*)$/;

/** The entries of a stored or pasted list: by commas and lines, each once. */
export function splitEntries(text: string): string[] {
  const entries = text.split(/[,\n]/).map((entry) => entry.trim().replaceAll(/\s+/g, " "));
  return [...new Set(entries.filter((entry) => entry !== ""))];
}

export function joinEntries(entries: readonly string[]): string {
  return entries.join(", ");
}

/**
 * Looks an entry up in the endpoints that there are. The service has the last word on what is stored: it also knows which
 * endpoints have a second address. This says the same for entries that are not stored yet.
 * @param routes every endpoint, as in `GET /api/models/:id`
 */
export function explainEntry(entry: string, routes: readonly string[]): EntryState {
  const [, method, path] = form.exec(entry) ?? [];
  if (path === undefined) return { entry, routes: [], wrong: "form", suggestion: suggest(entry, routes) };
  const found = routes.filter((route) => fits(method?.toUpperCase(), path, route));
  return found.length > 0
    ? { entry, routes: found }
    : { entry, routes: [], wrong: "unknown", suggestion: suggest(entry, routes) };
}

function fits(method: string | undefined, path: string, route: string): boolean {
  const [own = "", pattern = ""] = route.split(" ");
  if (method !== undefined && method.replace(/^HEAD$/, "GET") !== own) return false;
  const subtree = path.endsWith("/*");
  const wanted = normalize(subtree ? path.slice(0, -2) : path);
  const there = normalize(pattern);
  return there === wanted || (subtree && there.startsWith(`${wanted}/`));
}

/** Parameters are called differently in different places: `:id`, `{id}`. */
function normalize(pattern: string): string {
  return pattern
    .replace(/\/$/, "")
    .split("/")
    .map((segment) => (/^(:[\w-]+(\{.*\})?|\{[\w-]+\})$/.test(segment) ? ":" : segment))
    .join("/");
}

/** An entry that would work and looks most like this one; nothing when none comes near. */
function suggest(entry: string, routes: readonly string[]): string | undefined {
  const [, method, written = entry] = form.exec(entry) ?? [];
  const path = `/${written.replace(/\/\*$/, "").replaceAll(/^\/+|\/+$/g, "")}`;
  const paths = [...new Set(routes.map((route) => route.split(" ")[1] ?? ""))];
  const prefix = method ? `${method.toUpperCase()} ` : "";
  const same = paths.find((known) => normalize(known).toLowerCase() === normalize(path).toLowerCase());
  if (same) return isOffered(routes, method, same) ? prefix + same : same;
  if (path.length > 1 && paths.some((known) => normalize(known).startsWith(`${normalize(path)}/`)))
    return `${prefix}${path}/*`;
  const longer = path.length > 1 ? paths.find((known) => known.endsWith(path)) : undefined;
  if (longer) return longer;
  const near = paths
    .map((known) => ({ known, distance: distanceOf(normalize(known), normalize(path)) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  return near && near.distance <= Math.max(2, Math.floor(path.length / 6)) ? prefix + near.known : undefined;
}

function isOffered(routes: readonly string[], method: string | undefined, path: string): boolean {
  return method === undefined || routes.includes(`${method.toUpperCase()} ${path}`);
}

/** Levenshtein's distance: how many letters have to change. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++)
      next[to] = Math.min(
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
        (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}
