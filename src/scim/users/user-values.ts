import { normalizeEmail } from "../../people/email.ts";
import { personName } from "../../people/schema.ts";
import type { ScimEmail, ScimUserDocument } from "../patch/apply-user-patch.ts";
import { ScimError } from "../scim-error.ts";
import { nameWithoutDisplayName, type StoredName } from "./name-parts.ts";

const maxNameLength = 200;
const maxExternalIdLength = 500;
const maxEmails = 50;
const maxEmailsLength = 20_000;

/** A person's columns that follow from a resource. */
export interface UserValues {
  /** The account's address, normalized. */
  email: string;
  /** As sent; null where it is the address itself. */
  userName: string | null;
  /** `userName` as an address, for comparisons. */
  userNameAddress: string;
  name: string;
  nameParts: StoredName | null;
  emails: ScimEmail[] | null;
  externalId: string | null;
}

type Document = Omit<ScimUserDocument, "active">;

/**
 * @param keptEmail the account's present address, where neither e-mails nor userName change
 * @throws ScimError `invalidValue`, above all for a userName that is no e-mail address.
 */
export function valuesOf(document: Document, keptEmail?: string): UserValues {
  const userName = document.userName.trim();
  const userNameAddress = normalizeEmail(userName);
  if (userNameAddress === undefined)
    throw new ScimError("invalidValue", "userName is not an e-mail address, such as ada@example.org");
  const emails = acceptableEmails(document.emails);
  const email = keptEmail ?? accountEmail(emails) ?? userNameAddress;
  const name = nameOf(document);
  return {
    email,
    userName: userName === email ? null : userName,
    userNameAddress,
    name,
    nameParts: partsOf(document),
    emails,
    externalId: externalIdOf(document.externalId),
  };
}

/** The primary one, else the first: the address under which the account is known. */
function accountEmail(emails: ScimEmail[] | null): string | undefined {
  const entry = emails?.find((email) => email.primary === true) ?? emails?.[0];
  if (!entry) return undefined;
  const address = normalizeEmail(entry.value);
  if (address === undefined)
    throw new ScimError("invalidValue", "The primary entry of emails (else the first) is not an e-mail address");
  return address;
}

function acceptableEmails(emails: ScimEmail[] | undefined): ScimEmail[] | null {
  if (!emails || emails.length === 0) return null;
  if (emails.length > maxEmails || JSON.stringify(emails).length > maxEmailsLength)
    throw new ScimError("invalidValue", `emails can have at most ${maxEmails} entries of limited length`);
  return emails;
}

function nameOf(document: Document): string {
  const sent = document.displayName?.trim();
  const text = sent || nameWithoutDisplayName(document.name, document.userName.trim());
  const parsed = personName.safeParse(text);
  if (!parsed.success) throw new ScimError("invalidValue", `displayName: ${parsed.error.issues[0]!.message}`);
  return parsed.data;
}

/** In one order, so that the same name is the same text. */
function partsOf({ name = {}, displayName }: Document): StoredName | null {
  const { formatted, familyName, givenName, middleName, honorificPrefix, honorificSuffix } = name;
  const parts = Object.entries({
    formatted,
    familyName,
    givenName,
    middleName,
    honorificPrefix,
    honorificSuffix,
  }).filter((entry): entry is [string, string] => Boolean(entry[1]));
  if (parts.some(([, text]) => text.length > maxNameLength || /[\p{Cc}\p{Cs}]/u.test(text)))
    throw new ScimError("invalidValue", `name: each part can have at most ${maxNameLength} characters and no line breaks`);
  const stored: StoredName = { ...Object.fromEntries(parts), ...(displayName?.trim() ? {} : { display: "derived" }) };
  return Object.keys(stored).length === 0 ? null : stored;
}

function externalIdOf(externalId: string | undefined): string | null {
  if (!externalId) return null;
  if (externalId.length > maxExternalIdLength || !externalId.isWellFormed())
    throw new ScimError("invalidValue", `externalId is longer than ${maxExternalIdLength} characters or has control characters`);
  return externalId;
}
