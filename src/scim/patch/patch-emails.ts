import type { AttributeTypes } from "../filter/attributes.ts";
import { lowerAscii } from "../filter/compare-text.ts";
import { compileFilter } from "../filter/evaluate-filter.ts";
import type { Filter } from "../filter/filter.ts";
import { quoted } from "../quoted.ts";
import { ScimError } from "../scim-error.ts";
import {
  describedBy,
  emailKey,
  maxEmails,
  readEmailPart,
  readEmailParts,
  withPart,
  type EmailDraft,
  type EmailKey,
  type EmailPart,
} from "./email-parts.ts";
import type { TargetedOperation } from "./expand-operation.ts";
import { noAttribute } from "./path-errors.ts";
import { invalid } from "./read-value.ts";

const types: AttributeTypes = {
  value: { type: "string", caseExact: false },
  type: { type: "string", caseExact: false },
  display: { type: "string", caseExact: false },
  primary: { type: "boolean" },
};

/** The list after one operation on `emails` or below; nothing given changes. @throws ScimError */
export function patchEmails(emails: readonly EmailDraft[], operation: TargetedOperation): EmailDraft[] {
  const { op, path, value } = operation;
  const nothing = op === "remove" || value === null;
  const chosen = path.filter === null ? new Set(emails) : choose(emails, path.filter);
  if (path.sub !== null) {
    const key = emailKey(path.sub);
    if (key === undefined) throw noAttribute(path.written);
    if (nothing) return without(emails, chosen, key);
    return change(emails, chosen, operation, readEmailPart({ [key]: value }, "emails"));
  }
  if (path.filter !== null) {
    if (nothing) return op === "add" ? [...emails] : emails.filter((email) => !chosen.has(email));
    const [part, ...more] = readEmailParts(value, path.written);
    if (!part || more.length > 0) throw invalid(path.written, "must be a single e-mail");
    return change(emails, chosen, operation, part);
  }
  if (op === "remove") return value === undefined || value === null ? [] : withoutListed(emails, value, path.written);
  if (value === null) return op === "add" ? [...emails] : [];
  return add(op === "add" ? emails : [], readEmailParts(value, path.written), path.written);
}

function choose(emails: readonly EmailDraft[], filter: Filter): ReadonlySet<EmailDraft> {
  const fits = compileFilter(filter, types);
  return new Set(emails.filter((email) => fits({ ...email })));
}

/** An e-mail without its address is none. */
function without(emails: readonly EmailDraft[], chosen: ReadonlySet<EmailDraft>, key: EmailKey): EmailDraft[] {
  if (key === "value") return emails.filter((email) => !chosen.has(email));
  return emails.map((email) => (chosen.has(email) ? withPart(email, { [key]: null }) : email));
}

/** Entra ID removes with a list of what to remove: only those go. */
function withoutListed(emails: readonly EmailDraft[], value: unknown, written: string): EmailDraft[] {
  const parts = readEmailParts(value, written);
  if (parts.some((part) => !part.value && !part.type)) throw invalid(written, "must select which e-mails");
  const listed = (email: EmailDraft) =>
    parts.some(
      (part) => (!part.value || alike(part.value, email.value)) && (!part.type || alike(part.type, email.type)),
    );
  return emails.filter((email) => !listed(email));
}

/**
 * Sets a part on the chosen elements. Where there is none, makes the one that the filter describes: RFC 7644 calls that `noTarget`,
 * but Entra ID sends nothing else for a first e-mail. A replaced element with a new address keeps nothing of the old one.
 */
function change(
  emails: readonly EmailDraft[],
  chosen: ReadonlySet<EmailDraft>,
  { op, path: { filter, sub, written } }: TargetedOperation,
  part: EmailPart,
): EmailDraft[] {
  const described = filter === null ? {} : describedBy(filter);
  if (chosen.size === 0) {
    if (!described || (filter && !compileFilter(filter, types)({ ...described }))) {
      throw new ScimError("noTarget", `${quoted(written)} matches none of the user's e-mails.`);
    }
    const made = withPart(described, part);
    return settle([...emails, made], made);
  }
  const afresh = op === "replace" && sub === null && Boolean(part.value);
  let first: EmailDraft | undefined;
  const changed = emails.map((email) => {
    if (!chosen.has(email)) return email;
    const next = withPart(afresh ? (described ?? {}) : email, part);
    first ??= next;
    return next;
  });
  return settle(changed, part.primary ? first : undefined);
}

/** An address that is there already is brought up to date, so that adding twice is adding once. */
function add(emails: readonly EmailDraft[], parts: EmailPart[], written: string): EmailDraft[] {
  const list = emails.map((email) => ({ email, value: lower(email.value), type: lower(email.type) }));
  let favoured: { email: EmailDraft } | undefined;
  for (const part of parts) {
    if (!part.value) throw invalid(written, 'needs a "value" in each entry');
    const [value, type] = [lower(part.value), lower(part.type)];
    const same = list.filter((entry) => entry.value === value);
    const twin = same.find((entry) => entry.type === type) ?? same.find((entry) => !entry.type || !type);
    const email = withPart(twin?.email ?? {}, part);
    const entry = Object.assign(twin ?? {}, { email, value, type: lower(email.type) });
    if (!twin) list.push(entry);
    if (part.primary) favoured ??= entry;
  }
  return settle(
    list.map(({ email }) => email),
    favoured?.email,
  );
}

/** At most one primary e-mail (RFC 7643, section 2.4): the one just set, else the first; and none twice. */
function settle(emails: readonly EmailDraft[], set: EmailDraft | undefined): EmailDraft[] {
  const primary = set?.primary ? set : emails.find((email) => email.primary);
  const settled = new Map<string | EmailDraft, EmailDraft>();
  for (const email of emails) {
    const next = email.primary && email !== primary ? { ...email, primary: false } : email;
    // Those without an address yet are no one's twins.
    const key = next.value === undefined ? next : JSON.stringify([lower(next.value), lower(next.type)]);
    const twin = settled.get(key);
    settled.set(key, twin ? { ...twin, ...(next.primary && { primary: true }) } : next);
  }
  if (settled.size > maxEmails) throw invalid("emails", `has more than ${maxEmails} entries`);
  return [...settled.values()];
}

function alike(a: string, b: string | undefined): boolean {
  return lower(a) === lower(b);
}

function lower(text: string | null | undefined): string {
  return lowerAscii(text ?? "");
}
