import type { ParameterPlan } from "./operation-plan.ts";

type Plan = Pick<ParameterPlan, "name" | "style" | "explode" | "asJson" | "allowReserved">;

/** What a query may hold as it is where `allowReserved` says so (RFC 3986, section 2.2). */
const reserved = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/g;

/** RFC 3986: everything but letters, digits and `-._~` is escaped, so that no value reaches beyond its place. */
function escape(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : value === null ? "" : (JSON.stringify(value) ?? "");
}

function pairsOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, part]) => part !== undefined && part !== null);
}

/** The text that takes the place of `{name}` in a path. */
export function pathText(plan: Plan, value: unknown): string {
  if (plan.asJson) return escape(JSON.stringify(value));
  const { style, explode, name } = plan;
  const start = style === "label" ? "." : style === "matrix" ? ";" : "";
  const between = explode && style === "label" ? "." : explode && style === "matrix" ? ";" : ",";
  const named = (text: string) => (style === "matrix" ? `${escape(name)}=${text}` : text);
  if (Array.isArray(value)) {
    const items = value.map((item) => escape(plain(item)));
    return start + (explode && style === "matrix" ? items.map(named).join(between) : named(items.join(between)));
  }
  if (typeof value === "object" && value !== null) {
    const pairs = pairsOf(value).map(([key, part]) => [escape(key), escape(plain(part))] as const);
    if (explode) return start + pairs.map((pair) => pair.join("=")).join(between);
    return start + named(pairs.flat().join(","));
  }
  return start + named(escape(plain(value)));
}

/** The parts `name=value` of a query that the parameter comes to. */
export function queryParts(plan: Plan, value: unknown): string[] {
  const keep = (text: string) => (plan.allowReserved ? text.replace(reserved, decodeURIComponent) : text);
  const write = (text: string) => keep(escape(text));
  const name = escape(plan.name);
  if (plan.asJson) return [`${name}=${escape(JSON.stringify(value))}`];
  if (Array.isArray(value)) {
    const items = value.map((item) => write(plain(item)));
    if (plan.explode) return items.map((item) => `${name}=${item}`);
    const between = plan.style === "spaceDelimited" ? "%20" : plan.style === "pipeDelimited" ? "%7C" : ",";
    return items.length === 0 ? [] : [`${name}=${items.join(between)}`];
  }
  if (typeof value === "object" && value !== null) {
    const pairs = pairsOf(value);
    if (plan.style === "deepObject") return deepParts(plan.name, pairs, write);
    if (plan.explode) return pairs.map(([key, part]) => `${escape(key)}=${write(plain(part))}`);
    return [`${name}=${pairs.flatMap(([key, part]) => [escape(key), write(plain(part))]).join(",")}`];
  }
  return [`${name}=${write(plain(value))}`];
}

/** `name[key]=value`; lists and objects within are written the way that most servers read them. */
function deepParts(name: string, pairs: [string, unknown][], write: (text: string) => string, depth = 0): string[] {
  return pairs.flatMap(([key, part]) => {
    const full = `${name}[${key}]`;
    if (Array.isArray(part)) return part.map((item) => `${escape(full)}=${write(plain(item))}`);
    if (typeof part === "object" && part !== null && depth < 5) return deepParts(full, pairsOf(part), write, depth + 1);
    return [`${escape(full)}=${write(plain(part))}`];
  });
}

/** The value of a header (style `simple`); what is not ASCII is percent-encoded. */
export function headerValue(plan: Plan, value: unknown): string {
  return flat(plan, value).replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

/** `name=value` of a cookie (style `form`). */
export function cookiePair(plan: Plan, value: unknown): string {
  return `${escape(plan.name)}=${escape(flat({ ...plan, explode: false }, value))}`;
}

function flat(plan: Plan, value: unknown): string {
  if (plan.asJson) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(plain).join(",");
  if (typeof value === "object" && value !== null) {
    const pairs = pairsOf(value);
    return plan.explode
      ? pairs.map(([key, part]) => `${key}=${plain(part)}`).join(",")
      : pairs.flatMap(([key, part]) => [key, plain(part)]).join(",");
  }
  return plain(value);
}
