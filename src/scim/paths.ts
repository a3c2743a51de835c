/** All routes below it are for the identity provider only. */
export const scimBase = "/api/v1/scim/v2";

export function isScimPath(path: string): boolean {
  return path === scimBase || path.startsWith(`${scimBase}/`);
}

/**
 * Fixes common errors in paths. Identity providers join base address and resource as typed: `.../v2/` and `/Users` make
 * a double slash, and some end with a slash. Below the base both are ignored.
 */
export function scimPath(path: string): string {
  return isScimPath(path) ? path.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "") : path;
}

/** Absolute address of a resource, for `meta.location` and `$ref`. */
export function locationOf(ctx: { origin: string }, ...segments: string[]): string {
  return [`${ctx.origin}${scimBase}`, ...segments.map((segment) => encodeURIComponent(segment))].join("/");
}
