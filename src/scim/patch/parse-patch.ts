import type { AttributeName, Filter } from "../filter/filter.ts";

/** `emails[type eq "work"].value`: attribute, filter and sub-attribute (in lower case). */
export interface Path {
  /** As the client sent it. */
  written: string;
  attribute: AttributeName;
  filter: Filter | null;
  sub: string | null;
}

/** `path` is null where `value` is an object whose keys are paths. */
export type PatchOperation =
  | { op: "add" | "replace"; path: Path | null; value: unknown }
  | { op: "remove"; path: Path; value: unknown };

/**
 * The operations of a PATCH body (RFC 7644, section 3.5.2).
 * @throws ScimError invalidSyntax, invalidPath, invalidFilter, noTarget (remove without a path), invalidValue, tooMany
 */
export function parsePatch(body: unknown): PatchOperation[] {
  throw new Error(`not there yet: ${typeof body}`);
}
