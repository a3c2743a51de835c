import { isRecord } from "../lib/json.ts";

/** The attributes of a response (RFC 7644, section 3.9): lower-case paths without core URN. Both empty: all of them. */
export interface Projection {
  only: ReadonlySet<string> | undefined;
  without: ReadonlySet<string>;
}

/** Returned whatever is asked for (RFC 7643, section 7, "returned": "always"). */
const always = new Set(["id", "schemas"]);
const coreUrn = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/;

/** @param attributes, excludedAttributes comma-separated names, or lists of names; sub-attributes with a dot */
export function parseProjection(attributes: unknown, excludedAttributes: unknown): Projection {
  const only = names(attributes);
  return { only: only.length > 0 ? new Set(only) : undefined, without: new Set(names(excludedAttributes)) };
}

function names(value: unknown): string[] {
  const given = Array.isArray(value) ? value.filter((name) => typeof name === "string") : [value];
  return given
    .flatMap((name) => (typeof name === "string" ? name.split(",") : []))
    .map((name) => name.trim().toLowerCase().replace(coreUrn, ""))
    .filter((name) => name !== "");
}

/** Whether an attribute (in lower case) is in the response at all; others need not be read. */
export function isWanted({ only, without }: Projection, attribute: string): boolean {
  if (always.has(attribute)) return true;
  if (without.has(attribute)) return false;
  return !only || only.has(attribute) || [...only].some((path) => path.startsWith(`${attribute}.`));
}

/** The resource with the requested attributes. */
export function project(resource: Record<string, unknown>, projection: Projection): Record<string, unknown> {
  if (!projection.only && projection.without.size === 0) return resource;
  return Object.fromEntries(
    Object.entries(resource)
      .filter(([name]) => isWanted(projection, name.toLowerCase()))
      .map(([name, value]) => [name, always.has(name) ? value : projectValue(value, name.toLowerCase(), projection)]),
  );
}

function projectValue(value: unknown, attribute: string, { only, without }: Projection): unknown {
  const isKept = (sub: string) => {
    const path = `${attribute}.${sub.toLowerCase()}`;
    return !without.has(path) && (!only || only.has(attribute) || only.has(path));
  };
  const keep = (element: unknown) =>
    isRecord(element) ? Object.fromEntries(Object.entries(element).filter(([sub]) => isKept(sub))) : element;
  return Array.isArray(value) ? value.map(keep) : keep(value);
}
