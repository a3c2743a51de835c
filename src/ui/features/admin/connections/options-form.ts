import type {
  ConnectionPolicy,
  ConnectionQuirks,
  PolicyChange,
  QuirksChange,
} from "../../../../models/calling/schema.ts";
import { readObject } from "../../../lib/read-object.ts";
import { usualPolicy, usualQuirks } from "./usual-options.ts";

export interface Pair {
  name: string;
  value: string;
}

/** Quirks as they are entered. */
export interface QuirksForm {
  rename: Pair[];
  drop: string;
  dropFromMessages: string;
  /** JSON objects. */
  force: string;
  defaults: string;
  passesUnknown: boolean;
  systemRole: ConnectionQuirks["system_role"];
  asksForUsage: boolean;
  sendsPictures: boolean;
  reasoningTags: Pair[];
}

/** Numbers of a policy, in the order in which they are asked for. */
export const policyNumbers = [
  "attempts",
  "max_retry_wait",
  "first_byte_timeout",
  "idle_timeout",
  "max_concurrent",
  "max_waiting",
  "max_wait",
  "breaker_failures",
  "breaker_seconds",
] as const satisfies (keyof ConnectionPolicy)[];
export type PolicyNumber = (typeof policyNumbers)[number];

/** Numbers as they are entered; empty for the usual value, which is none for some. */
export type PolicyForm = { fail_over: boolean } & Record<PolicyNumber, string>;

export function quirksForm(quirks: ConnectionQuirks = usualQuirks): QuirksForm {
  const json = (value: Record<string, unknown>) =>
    Object.keys(value).length === 0 ? "" : JSON.stringify(value, null, 2);
  return {
    rename: Object.entries(quirks.rename).map(([name, value]) => ({ name, value })),
    drop: quirks.drop.join(", "),
    dropFromMessages: quirks.drop_from_messages.join(", "),
    force: json(quirks.force),
    defaults: json(quirks.defaults),
    passesUnknown: quirks.unknown_fields === "pass",
    systemRole: quirks.system_role,
    asksForUsage: quirks.stream_options,
    sendsPictures: quirks.images === "data_url",
    reasoningTags: quirks.reasoning_tags.map(([name, value]) => ({ name, value })),
  };
}

export function policyForm(policy: ConnectionPolicy = usualPolicy): PolicyForm {
  const numbers = policyNumbers.map((name) => [name, policy[name] === null ? "" : String(policy[name])]);
  return { ...(Object.fromEntries(numbers) as Record<PolicyNumber, string>), fail_over: policy.fail_over };
}

/** What is entered; texts that are no JSON objects count as empty: see `findProblems`. */
export function readQuirks(form: QuirksForm): ConnectionQuirks {
  return {
    rename: Object.fromEntries(filled(form.rename).map(({ name, value }) => [name, value])),
    drop: namesIn(form.drop),
    drop_from_messages: namesIn(form.dropFromMessages),
    force: readObject(form.force) ?? {},
    defaults: readObject(form.defaults) ?? {},
    unknown_fields: form.passesUnknown ? "pass" : "drop",
    system_role: form.systemRole,
    stream_options: form.asksForUsage,
    images: form.sendsPictures ? "data_url" : "as_sent",
    reasoning_tags: filled(form.reasoningTags).map(({ name, value }) => [name, value]),
  };
}

export function readPolicy(form: PolicyForm): ConnectionPolicy {
  const numbers = policyNumbers.map((name) => [
    name,
    form[name].trim() === "" ? usualPolicy[name] : Number(form[name].trim()),
  ]);
  return { ...(Object.fromEntries(numbers) as Omit<ConnectionPolicy, "fail_over">), fail_over: form.fail_over };
}

/** Fields whose entries cannot be read at all; what they hold is the service's to judge. */
export function findProblems(quirks: QuirksForm, policy: PolicyForm): ("force" | "defaults" | PolicyNumber)[] {
  return [
    ...(["force", "defaults"] as const).filter((name) => readObject(quirks[name]) === undefined),
    ...policyNumbers.filter((name) => !/^\d{0,9}$/.test(policy[name].trim())),
  ];
}

/** The fields that differ: two administrators who change different ones do not undo each other. */
export function changedQuirks(quirks: ConnectionQuirks, stored: ConnectionQuirks = usualQuirks): QuirksChange {
  return changed(quirks, stored);
}

export function changedPolicy(policy: ConnectionPolicy, stored: ConnectionPolicy = usualPolicy): PolicyChange {
  return changed(policy, stored);
}

function changed<T extends object>(values: T, stored: T): Partial<T> {
  const before = stored as Record<string, unknown>;
  const differing = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(differing) as Partial<T>;
}

function filled(pairs: readonly Pair[]): Pair[] {
  const trimmed = pairs.map(({ name, value }) => ({ name: name.trim(), value: value.trim() }));
  return trimmed.filter(({ name, value }) => name !== "" || value !== "");
}

function namesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((name) => name !== ""))];
}
