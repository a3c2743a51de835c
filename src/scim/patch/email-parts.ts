import { isRecord } from "../../lib/json.ts";
import type { Filter } from "../filter/filter.ts";
import { invalid, readBoolean, readFilledText, readText } from "./read-value.ts";

/** An e-mail in the making: its address may come with a later operation. */
export interface EmailDraft {
  value?: string;
  type?: string;
  primary?: boolean;
  display?: string;
}

export type EmailKey = keyof EmailDraft;

/** What one sent element says; null takes a sub-attribute away. */
export type EmailPart = { [K in EmailKey]?: NonNullable<EmailDraft[K]> | null };

export const maxEmails = 100;

const keys: ReadonlyMap<string, EmailKey> = new Map([
  ["value", "value"],
  ["type", "type"],
  ["primary", "primary"],
  ["display", "display"],
]);

/** The sub-attribute with this name in lower case. */
export function emailKey(name: string): EmailKey | undefined {
  return keys.get(name);
}

/** Elements as a list, as one object or as bare addresses. @throws ScimError `invalidValue` */
export function readEmailParts(sent: unknown, written: string): EmailPart[] {
  const list: unknown[] = Array.isArray(sent) ? sent : [sent];
  if (list.length > maxEmails) throw invalid(written, `has more than ${maxEmails} entries`);
  return list.map((entry) => {
    if (typeof entry === "string") return { value: readFilledText(entry, written) };
    if (!isRecord(entry)) throw invalid(written, "must be a list of objects");
    return readEmailPart(entry, written);
  });
}

/** Unknown keys are passed over. @throws ScimError `invalidValue` */
export function readEmailPart(sent: Record<string, unknown>, written: string): EmailPart {
  const part: EmailPart = {};
  for (const [name, value] of Object.entries(sent)) {
    const key = emailKey(name.toLowerCase());
    if (key === undefined) continue;
    const where = `${written}.${key}`;
    if (value === null) part[key] = null;
    else if (key === "primary") part.primary = readBoolean(value, where);
    else if (key === "value") part.value = readFilledText(value, where);
    else part[key] = readText(value, where);
  }
  return part;
}

/** The element with what the part says. */
export function withPart(email: EmailDraft, part: EmailPart): EmailDraft {
  const changed: EmailPart = { ...email, ...part };
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
}

/**
 * The element that a filter describes, like `type eq "work" and primary eq true`; undefined where it does not say what an element is
 * like, or where it names an address that is not there.
 */
export function describedBy(filter: Filter): EmailDraft | undefined {
  if (filter.kind === "and") {
    const parts = filter.filters.map(describedBy);
    return parts.includes(undefined) ? undefined : Object.assign({}, ...parts);
  }
  if (filter.kind !== "compare" || filter.operator !== "eq" || filter.value === null) return undefined;
  const { name } = filter.attribute;
  const key = emailKey(name);
  if (key === undefined || key === "value") return undefined;
  return readEmailPart({ [key]: filter.value }, name) as EmailDraft;
}
