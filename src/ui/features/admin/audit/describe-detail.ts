/** One line of what an event says about itself: a value, or what it was and what it became. */
export interface DetailLine {
  /** Dotted path of names, as stored: `role`, `permissions.features.api_keys`; empty for the thing itself. */
  path: string;
  value?: string;
  change?: { from: string; to: string };
}

/** Words for values that have none of their own. */
export interface DetailWords {
  yes: string;
  no: string;
  nothing: string;
  more: (count: number) => string;
}

const MOST = 20;

/**
 * Turns the free-form detail of an event into lines to read. `{from, to}` and `{before, after}` become changes wherever
 * they stand; of two objects only what differs is shown, of a new one everything.
 */
export function describeDetail(detail: Record<string, unknown>, words: DetailWords): DetailLine[] {
  return linesOf("", detail, words);
}

function linesOf(path: string, value: unknown, words: DetailWords): DetailLine[] {
  if (!isRecord(value)) return [{ path, value: inWords(value, words) }];
  const change = readChange(value);
  const inside = Object.entries(change ? change.rest : value).flatMap(([name, part]) =>
    linesOf(join(path, name), part, words),
  );
  return change ? [...inside, ...changedLines(path, change.from, change.to, words)] : inside;
}

/** The two sides of a change, and what else stands beside them. */
function readChange(
  value: Record<string, unknown>,
): { from: unknown; to: unknown; rest: Record<string, unknown> } | undefined {
  if ("from" in value && "to" in value) {
    const { from, to, ...rest } = value;
    return { from, to, rest };
  }
  if ("before" in value && "after" in value) {
    const { before, after, ...rest } = value;
    return { from: before, to: after, rest };
  }
  return undefined;
}

function changedLines(path: string, from: unknown, to: unknown, words: DetailWords): DetailLine[] {
  if ((from === null || from === undefined) && isRecord(to)) return linesOf(path, to, words);
  if (!isRecord(from) && !isRecord(to)) {
    if (JSON.stringify(from) === JSON.stringify(to)) return [{ path, value: inWords(to, words) }];
    return [{ path, change: { from: inWords(from, words), to: inWords(to, words) } }];
  }
  const names = new Set([...Object.keys(isRecord(from) ? from : {}), ...Object.keys(isRecord(to) ? to : {})]);
  return [...names].flatMap((name) => {
    const [one, other] = [isRecord(from) ? from[name] : null, isRecord(to) ? to[name] : null];
    return JSON.stringify(one) === JSON.stringify(other)
      ? []
      : changedLines(join(path, name), one ?? null, other ?? null, words);
  });
}

function inWords(value: unknown, words: DetailWords): string {
  if (value === null || value === undefined || value === "") return words.nothing;
  if (value === true) return words.yes;
  if (value === false) return words.no;
  if (Array.isArray(value)) {
    if (value.length === 0) return words.nothing;
    const shown = value.slice(0, MOST).map((part) => (isRecord(part) ? compact(part) : inWords(part, words)));
    return [...shown, ...(value.length > MOST ? [words.more(value.length - MOST)] : [])].join(", ");
  }
  return isRecord(value) ? compact(value) : String(value);
}

/** A small object in one line. */
function compact(value: Record<string, unknown>): string {
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${typeof part === "object" ? JSON.stringify(part) : String(part)}`)
    .join("; ");
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
