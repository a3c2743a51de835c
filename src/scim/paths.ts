/** Everything below it belongs to the identity provider; nothing else does. */
export const scimBase = "/api/v1/scim/v2";

export function isScimPath(path: string): boolean {
  return path === scimBase || path.startsWith(`${scimBase}/`);
}

/**
 * A path with what identity providers get wrong mended. They put base address and resource together as they are typed in:
 * `.../v2/` and `/Users` make a double slash, and some end in one. Below the base both are as good as one or none.
 */
export function scimPath(path: string): string {
  return isScimPath(path) ? path.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "") : path;
}

/** Absolute address of a resource, for `meta.location` and `$ref`. */
export function locationOf(ctx: { origin: string }, ...segments: string[]): string {
  return [`${ctx.origin}${scimBase}`, ...segments.map((segment) => encodeURIComponent(segment))].join("/");
}
