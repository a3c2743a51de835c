import type { Filter } from "../filter/filter.ts";
import type { PatchOperation } from "./parse-patch.ts";

/**
 * One change of the members, in order. Neighbours are merged, so that `remove` and `add` next to each other never name the same
 * person, and nothing comes before a `replace` or `removeAll`. `removeWhere`: those whose member object (value, display, type, $ref) fits.
 */
export type MemberStep =
  | { kind: "add" | "remove" | "replace"; ids: string[] }
  | { kind: "removeAll" }
  | { kind: "removeWhere"; filter: Filter };

/** What a PATCH of a group changes; what is absent stays. */
export interface GroupPlan {
  displayName?: string;
  /** Null takes it away. */
  externalId?: string | null;
  members: MemberStep[];
}

/** @throws ScimError when one of the operations cannot be applied. */
export function planGroupPatch(operations: readonly PatchOperation[]): GroupPlan {
  throw new Error(`not there yet: ${operations.length}`);
}

/** A POST or PUT body of a group; absent keys are absent. @throws ScimError invalidSyntax, invalidValue */
export function readGroupDocument(body: unknown): { displayName?: string; externalId?: string; members?: string[] } {
  throw new Error(`not there yet: ${typeof body}`);
}
