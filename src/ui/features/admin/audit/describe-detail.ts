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
  /** Who may do what with a thing that is shared. */
  grant: (who: string, permission: string) => string;
  everyone: string;
  group: (name: string) => string;
  /** Words for a stored value of a field, where it has some. */
  wordFor?: (field: string, value: string) => string | undefined;
  /** The name of a field that a value names. */
  fieldOf?: (name: string) => string;
  /** The name behind an id, where it is known. */
  nameOf?: (id: string) => string | undefined;
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
  // Whom a quota limits, where that is everyone.
  if (value === null && path === "subject_id") return [];
  if (!isRecord(value)) return [{ path, value: inWords(value, words, path) }];
  const change = readChange(value);
  const inside = Object.entries(change ? change.rest : value)
    // Nothing was there before: that is no news.
    .filter(([name, part]) => part !== null || (name !== "before" && name !== "after"))
    .flatMap(([name, part]) => linesOf(join(path, name), part, words));
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
    if (JSON.stringify(from) === JSON.stringify(to)) return [{ path, value: inWords(to, words, path) }];
    return [{ path, change: { from: inWords(from, words, path), to: inWords(to, words, path) } }];
  }
  const names = new Set([...Object.keys(isRecord(from) ? from : {}), ...Object.keys(isRecord(to) ? to : {})]);
  return [...names].flatMap((name) => {
    const [one, other] = [isRecord(from) ? from[name] : null, isRecord(to) ? to[name] : null];
    return JSON.stringify(one) === JSON.stringify(other)
      ? []
      : changedLines(join(path, name), one ?? null, other ?? null, words);
  });
}

/** @param path of the field that holds the value */
function inWords(value: unknown, words: DetailWords, path = ""): string {
  const field = path.split(".").at(-1) ?? "";
  if (value === null || value === undefined || value === "") return words.nothing;
  if (value === true) return words.yes;
  if (value === false) return words.no;
  if (Array.isArray(value)) {
    if (value.length === 0) return words.nothing;
    const shown = value.slice(0, MOST).map((part) => inWords(part, words, path));
    return [...shown, ...(value.length > MOST ? [words.more(value.length - MOST)] : [])].join(", ");
  }
  if (isRecord(value)) return readGrant(value, words) ?? compact(value, words);
  const text = String(value);
  if ((field === "fields" || field === "changed") && words.fieldOf) return words.fieldOf(text);
  return words.wordFor?.(field, text) ?? words.nameOf?.(text) ?? text;
}

/** Fields that hold ids of people and of organizations, wherever they stand. */
export interface NamedIds {
  people: string[];
  organizations: string[];
}

const peopleFields = /(^|_)user_ids?$|^principal_id$|^subject_id$|^members$|^added$|^removed$|^unknown_members$/;
const organizationFields = /(^|_)organization_id$/;

/**
 * The ids in a detail whose names would help; each once, and no more than fit on a screen.
 * @param field what the detail itself is about, where it says only from and to
 */
export function findIds(detail: Record<string, unknown>, field = ""): NamedIds {
  const found: NamedIds = { people: [], organizations: [] };
  visit(field, detail, found);
  return { people: [...new Set(found.people)].slice(0, MOST), organizations: [...new Set(found.organizations)] };
}

function visit(name: string, value: unknown, found: NamedIds): void {
  if (typeof value === "string") {
    if (peopleFields.test(name)) found.people.push(value);
    else if (organizationFields.test(name)) found.organizations.push(value);
  } else if (Array.isArray(value)) for (const part of value) visit(name, part, found);
  else if (isRecord(value))
    for (const [inner, part] of Object.entries(value))
      visit(inner === "from" || inner === "to" ? name : inner, part, found);
}

/** A small object in one line. */
function compact(value: Record<string, unknown>, words: DetailWords): string {
  return Object.entries(value)
    .map(([name, part]) => `${name.replaceAll("_", " ")}: ${inWords(part, words)}`)
    .join("; ");
}

/** A grant as a sentence; undefined for everything else. */
function readGrant(value: Record<string, unknown>, words: DetailWords): string | undefined {
  const { principal_type: type, principal_id: id, permission } = value;
  if (typeof type !== "string" || typeof id !== "string" || typeof permission !== "string") return undefined;
  const name = words.nameOf?.(id) ?? id;
  return words.grant(id === "*" ? words.everyone : type === "group" ? words.group(name) : name, permission);
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
