import { isRecord } from "../../lib/json.ts";
import type { AttributeTypes } from "../filter/attributes.ts";
import { compileFilter } from "../filter/evaluate-filter.ts";
import type { Filter } from "../filter/filter.ts";
import { quoted } from "../quoted.ts";
import { ScimError } from "../scim-error.ts";
import { expandOperation, expandResource, type AttributeKinds, type TargetedOperation } from "./expand-operation.ts";
import { MemberSteps, type MemberStep } from "./member-steps.ts";
import type { PatchOperation } from "./parse-patch.ts";
import { noAttribute, required } from "./path-errors.ts";
import { invalid, readFilledText, readText } from "./read-value.ts";

/** What a PATCH of a group changes; what is absent stays. */
export interface GroupPlan {
  displayName?: string;
  /** Null takes it away. */
  externalId?: string | null;
  members: MemberStep[];
}

/** Of all filters that become conditions in the database: of ten times as many it takes none. */
const maxComparisons = 5_000;

const kinds: AttributeKinds = new Map([
  ["displayname", "kept"],
  ["externalid", "kept"],
  ["members", "kept"],
  ["id", "readOnly"],
  ["meta", "readOnly"],
  ["schemas", "readOnly"],
]);

const memberTypes: AttributeTypes = {
  value: { type: "string", caseExact: true },
  display: { type: "string", caseExact: false },
  type: { type: "string", caseExact: false },
  $ref: { type: "string", caseExact: true },
};

/**
 * The changes that the operations ask for, without reading the group: a step on members that are (not) there does nothing.
 * @throws ScimError when one of the operations cannot be applied
 */
export function planGroupPatch(operations: readonly PatchOperation[]): GroupPlan {
  const plan: Omit<GroupPlan, "members"> = {};
  const members = new MemberSteps();
  for (const operation of operations) {
    for (const target of expandOperation(operation, kinds)) apply(plan, members, target);
  }
  const steps = members.steps();
  const comparisons = steps.reduce((sum, step) => sum + ("filter" in step ? comparisonsIn(step.filter) : 0), 0);
  if (comparisons > maxComparisons) {
    throw new ScimError("tooMany", `The filters of a PATCH can have at most ${maxComparisons} comparisons in total.`);
  }
  return { ...plan, members: steps };
}

function comparisonsIn(filter: Filter): number {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.filters.reduce((sum, part) => sum + comparisonsIn(part), 0);
    case "not":
    case "values":
      return comparisonsIn(filter.filter);
    default:
      return 1;
  }
}

/** A POST or PUT body of a group; absent keys are absent. @throws ScimError invalidSyntax, invalidValue */
export function readGroupDocument(body: unknown): { displayName?: string; externalId?: string; members?: string[] } {
  const plan: Omit<GroupPlan, "members"> = {};
  const members = new MemberSteps();
  for (const target of expandResource(body, kinds)) {
    if (target.value !== null) apply(plan, members, target);
  }
  const step = members.steps().find(({ kind }) => kind === "replace" || kind === "removeAll");
  const { displayName, externalId } = plan;
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(externalId ? { externalId } : {}),
    ...(step && { members: "ids" in step ? step.ids : [] }),
  };
}

function apply(plan: Omit<GroupPlan, "members">, members: MemberSteps, target: TargetedOperation): void {
  const { op, path, value } = target;
  const removed = op === "remove" || value === null;
  const { name } = path.attribute;
  if (name === "members") {
    applyMembers(members, target);
    return;
  }
  if (path.filter !== null || path.sub !== null) throw noAttribute(path.written);
  if (name === "externalid") {
    plan.externalId = removed ? null : readText(value, path.written) || null;
    return;
  }
  if (removed) throw required(path.written);
  plan.displayName = readFilledText(value, path.written);
}

function applyMembers(members: MemberSteps, { op, path, value }: TargetedOperation): void {
  const { filter, sub, written } = path;
  if (sub !== null && sub !== "value") {
    if (!Object.hasOwn(memberTypes, sub)) throw noAttribute(path.written);
    throw new ScimError("mutability", `${quoted(written)} is derived from the member and cannot be written.`);
  }
  if (filter !== null) {
    // Removes what fits; a replacement puts others in its place.
    const added = op === "remove" || value === null ? [] : memberIds(value, written);
    if (op !== "add") removeFitting(members, filter);
    members.add(added);
    return;
  }
  const none = value === undefined || value === null;
  if (sub !== null && none) throw required(path.written);
  if (op === "add") members.add(none ? [] : memberIds(value, written));
  else if (op === "replace") members.replace(none ? [] : memberIds(value, written));
  // Entra ID names whom to remove in the value: only those go.
  else if (none) members.replace([]);
  else members.remove(memberIds(value, written));
}

function removeFitting(members: MemberSteps, filter: Filter): void {
  compileFilter(filter, memberTypes);
  const ids = namedBy(filter);
  if (ids) members.remove(ids);
  else members.removeWhere(filter);
}

/** The ids in `value eq "a" or value eq "b"`; undefined for any other filter. */
function namedBy(filter: Filter): string[] | undefined {
  if (filter.kind === "or") {
    const each = filter.filters.map(namedBy);
    return each.every((ids) => ids !== undefined) ? each.flat() : undefined;
  }
  const { kind } = filter;
  if (kind !== "compare" || filter.operator !== "eq" || filter.attribute.name !== "value") return undefined;
  return typeof filter.value === "string" ? [filter.value] : undefined;
}

/** Ids of `[{value}]`, of one object, or of text; what else a member says (display, $ref) is not for clients to write. */
function memberIds(sent: unknown, written: string): string[] {
  const list: unknown[] = Array.isArray(sent) ? sent : [sent];
  return list.map((entry) => {
    const id = isRecord(entry) ? Object.entries(entry).find(([key]) => key.toLowerCase() === "value")?.[1] : entry;
    if (id === undefined) throw invalid(written, 'needs a "value" in each member');
    return readFilledText(id, written);
  });
}
