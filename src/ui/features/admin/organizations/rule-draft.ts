import type { LandingResult, LandingRuleList } from "../../../../people/organizations/schema.ts";
import { texts } from "./texts.ts";

export type LandingRule = LandingRuleList["rules"][number];
export type RuleKind = LandingRule["kind"];

/** What is known of somebody who comes in new. */
export interface Newcomer {
  email: string;
  attributes: Record<string, string | string[]>;
  groups: string[];
}

/** Which rule decides and where it leads; no rule means the default, no organization that nobody comes in like this. */
export type Landing = LandingResult;

/** A rule as it is sent. */
export type NewRule = Omit<LandingRule, "id">;

/** A rule as it is being written. */
export interface RuleDraft {
  /** Its id; of a new one something of our own. */
  key: string;
  kind: RuleKind;
  attribute: string;
  value: string;
  organization: string;
}

export function draftsOf(rules: LandingRule[]): RuleDraft[] {
  return rules.map(({ id, kind, attribute, value, organization_id }) => ({
    key: id,
    kind,
    attribute,
    value,
    organization: organization_id,
  }));
}

/** What is sent: an attribute is named by the kind alone that looks at one. */
export function toRules(drafts: RuleDraft[]): NewRule[] {
  return drafts.map(({ kind, attribute, value, organization }) => ({
    kind,
    attribute: kind === "attribute" ? attribute.trim() : "",
    value: value.trim(),
    organization_id: organization,
  }));
}

/** The rule as a sentence without its end: "People whose department is Sales". Brackets stand for what is still missing. */
export function sentenceOf({ kind, attribute, value }: RuleDraft): string {
  const { sentence, unfinished } = texts.rules;
  const filled = value.trim();
  if (kind === "attribute")
    return sentence.attribute(attribute.trim() || unfinished.attribute, filled || unfinished.value);
  return sentence[kind](filled || unfinished[kind]);
}

export interface RuleProblems {
  attribute?: string;
  value?: string;
  organization?: string;
}

/** What of a rule two rules must have in common for the second never to decide. */
function sameCondition(one: RuleDraft, other: RuleDraft): boolean {
  const folded = (draft: RuleDraft): string => {
    const value = draft.value.trim();
    return JSON.stringify([
      draft.kind,
      draft.kind === "attribute" ? draft.attribute.trim().toLowerCase() : "",
      draft.kind === "email_domain" ? value.toLowerCase() : value,
    ]);
  };
  return folded(one) === folded(other);
}

/**
 * What has to be mended before the rules can be saved, by key.
 * @param organizations ids of those there are
 */
export function checkRules(drafts: RuleDraft[], organizations: string[]): Record<string, RuleProblems> {
  const words = texts.rules;
  const found: Record<string, RuleProblems> = {};
  for (const [index, draft] of drafts.entries()) {
    const problems: RuleProblems = {};
    const value = draft.value.trim();
    if (draft.kind === "attribute" && draft.attribute.trim() === "") problems.attribute = words.attributeMissing;
    if (value === "") problems.value = words.valueMissing[draft.kind];
    else if (draft.kind === "email_domain" && !/^@?[^\s@.]+(\.[^\s@.]+)+$/.test(value))
      problems.value = words.domainWrong;
    else {
      const earlier = drafts.slice(0, index).findIndex((other) => sameCondition(other, draft));
      if (earlier >= 0) problems.value = words.twice(earlier + 1);
    }
    if (!organizations.includes(draft.organization)) problems.organization = words.gone;
    if (Object.keys(problems).length > 0) found[draft.key] = problems;
  }
  return found;
}

/** The service's complaints (`rules.1.value`) as problems of the rules they are about. */
export function problemsOf(issues: Record<string, string>, drafts: RuleDraft[]): Record<string, RuleProblems> {
  const found: Record<string, RuleProblems> = {};
  for (const [path, message] of Object.entries(issues)) {
    const [, place, field] = /^rules\.(\d+)(?:\.(\w+))?/.exec(path) ?? [];
    const key = drafts[Number(place)]?.key;
    if (place === undefined || key === undefined) continue;
    const name = field === "attribute" ? "attribute" : field === "organization_id" ? "organization" : "value";
    found[key] = { ...found[key], [name]: message };
  }
  return found;
}

/** What differs from the stored list, in words for the form. */
export function changesOf(drafts: RuleDraft[], rules: LandingRule[]): string[] {
  const { changes } = texts.rules;
  const stored = new Map(draftsOf(rules).map((draft) => [draft.key, draft]));
  const kept = drafts.filter(({ key }) => stored.has(key));
  const changed = kept.filter((draft) => {
    const before = stored.get(draft.key);
    return (["kind", "value", "attribute", "organization"] as const).some(
      (field) => draft[field].trim() !== before?.[field],
    );
  });
  const keys = new Set(kept.map(({ key }) => key));
  const before = rules.filter(({ id }) => keys.has(id)).map(({ id }) => id);
  const isMoved = before.some((id, index) => kept[index]?.key !== id);
  const [added, removed] = [drafts.length - kept.length, rules.length - kept.length];
  return [
    ...(added > 0 ? [changes.added(added)] : []),
    ...(removed > 0 ? [changes.removed(removed)] : []),
    ...(changed.length > 0 ? [changes.changed(changed.length)] : []),
    ...(isMoved ? [changes.order] : []),
  ];
}

/** The list with one entry moved up or down by one place; unchanged at the ends. */
export function moved<T>(list: T[], index: number, by: 1 | -1): T[] {
  const [one, other] = [list[index], list[index + by]];
  if (one === undefined || other === undefined) return list;
  return list.with(index, other).with(index + by, one);
}

/**
 * Attributes as they are typed: one on each line, `department: Sales`. The name may hold colons itself (SCIM's long names);
 * a name that comes twice has both values.
 * @returns the line that could not be read, where there is one
 */
export function readAttributes(text: string): { attributes: Newcomer["attributes"]; wrong: string | undefined } {
  const attributes: Record<string, string | string[]> = {};
  for (const line of text.split("\n").map((line) => line.trim())) {
    if (line === "") continue;
    const [, name, value] = /^(.+?):\s+(.+)$/.exec(line) ?? /^(.+):(.+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { attributes, wrong: line };
    const before = attributes[name.trim()];
    attributes[name.trim()] = before === undefined ? value.trim() : [before, value.trim()].flat();
  }
  return { attributes, wrong: undefined };
}
