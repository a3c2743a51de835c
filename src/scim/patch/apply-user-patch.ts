import { isRecord } from "../../lib/json.ts";
import { ScimError } from "../scim-error.ts";
import type { EmailDraft } from "./email-parts.ts";
import { expandOperation, expandResource, type AttributeKinds, type TargetedOperation } from "./expand-operation.ts";
import type { PatchOperation } from "./parse-patch.ts";
import type { Path } from "./parse-path.ts";
import { patchEmails } from "./patch-emails.ts";
import { noAttribute, required } from "./path-errors.ts";
import { invalid, readBoolean, readFilledText, readText } from "./read-value.ts";

export interface ScimName {
  formatted?: string;
  familyName?: string;
  givenName?: string;
  middleName?: string;
  honorificPrefix?: string;
  honorificSuffix?: string;
}

export interface ScimEmail {
  value: string;
  type?: string;
  primary?: boolean;
  display?: string;
}

/** The writable and stored attributes of a SCIM user. */
export interface ScimUserDocument {
  userName: string;
  externalId?: string;
  displayName?: string;
  name?: ScimName;
  emails?: ScimEmail[];
  active: boolean;
}

type Draft = Partial<Omit<ScimUserDocument, "emails">> & { emails?: EmailDraft[] };

const kinds: AttributeKinds = new Map([
  ...["userName", "externalId", "displayName", "name", "emails", "active"].map(kind("kept")),
  ...["id", "meta", "groups", "schemas"].map(kind("readOnly")),
  // The rest of RFC 7643, section 4.1, which Entra ID's standard mapping sends: a refusal would keep everything else from arriving.
  ...["nickName", "profileUrl", "title", "userType", "preferredLanguage", "locale", "timezone", "password"].map(
    kind("notKept"),
  ),
  ...["phoneNumbers", "ims", "photos", "addresses", "entitlements", "roles", "x509Certificates"].map(kind("notKept")),
]);

const nameKeys: ReadonlyMap<string, keyof ScimName> = new Map(
  (["formatted", "familyName", "givenName", "middleName", "honorificPrefix", "honorificSuffix"] as const).map((key) => [
    key.toLowerCase(),
    key,
  ]),
);

/**
 * The user after all operations; the given one is not changed. Operations without an effect change nothing.
 * @throws ScimError if an operation is invalid; then none is applied
 */
export function applyUserPatch(user: ScimUserDocument, operations: readonly PatchOperation[]): ScimUserDocument {
  const draft: Draft = structuredClone(user);
  for (const operation of operations) {
    for (const target of expandOperation(operation, kinds)) apply(draft, target);
  }
  return { ...finished(draft), active: draft.active ?? user.active };
}

/**
 * A POST or PUT body as a document, with the same leniency as a PATCH: case-insensitive names, "True" for true, dotted
 * keys, e-mails as objects or text; attributes that are not stored are ignored. `active` is absent if it was not sent.
 * @throws ScimError invalidSyntax, invalidValue (also without a userName)
 */
export function readUserDocument(body: unknown): Omit<ScimUserDocument, "active"> & { active?: boolean } {
  const draft: Draft = {};
  for (const target of expandResource(body, kinds)) {
    // A new resource has no values to take away.
    if (target.value !== null) apply(draft, target);
  }
  return finished(draft);
}

function finished({ emails, userName, ...draft }: Draft): Omit<ScimUserDocument, "active"> & { active?: boolean } {
  if (userName === undefined) throw new ScimError("invalidValue", 'A user needs a "userName".');
  const unfinished = emails?.find((email) => email.value === undefined);
  if (unfinished) {
    const which = unfinished.type === undefined ? "One of the e-mails" : `The e-mail of type "${unfinished.type}"`;
    throw new ScimError("noTarget", `${which} has no value.`);
  }
  return { userName, ...draft, ...(emails && emails.length > 0 ? { emails: emails as ScimEmail[] } : {}) };
}

function apply(draft: Draft, target: TargetedOperation): void {
  const { op, path, value } = target;
  const removed = op === "remove" || value === null;
  switch (path.attribute.name) {
    case "username":
      only(path);
      if (removed) throw required(path.written);
      draft.userName = readFilledText(value, path.written);
      return;
    case "active":
      only(path);
      if (removed) throw required(path.written);
      draft.active = readBoolean(value, path.written);
      return;
    case "displayname":
      only(path);
      if (removed) delete draft.displayName;
      else draft.displayName = readText(value, path.written);
      return;
    case "externalid": {
      only(path);
      const id = removed ? "" : readText(value, path.written);
      // An empty identifier identifies nobody, and two of them would clash.
      if (id === "") delete draft.externalId;
      else draft.externalId = id;
      return;
    }
    case "name":
      applyName(draft, target);
      return;
    default:
      draft.emails = patchEmails(draft.emails ?? [], target);
  }
}

/** Sub-attributes that are not named stay (RFC 7644, section 3.5.2.3). */
function applyName(draft: Draft, { op, path, value }: TargetedOperation): void {
  if (path.filter) throw noAttribute(path.written);
  const removed = op === "remove" || value === null;
  const name: ScimName = { ...draft.name };
  const set = (key: keyof ScimName, sent: unknown) => {
    if (sent === null) delete name[key];
    else name[key] = readText(sent, `name.${key}`);
  };
  if (path.sub !== null) {
    const key = nameKeys.get(path.sub);
    if (key === undefined) throw noAttribute(path.written);
    set(key, removed ? null : value);
  } else if (removed) {
    delete draft.name;
    return;
  } else {
    if (!isRecord(value)) throw invalid(path.written, "must be an object");
    for (const [written, sent] of Object.entries(value)) {
      const key = nameKeys.get(written.toLowerCase());
      if (key !== undefined) set(key, sent);
    }
  }
  if (Object.keys(name).length > 0) draft.name = name;
  else delete draft.name;
}

/** A simple attribute has no parts. */
function only(path: Path): void {
  if (path.filter !== null || path.sub !== null) throw noAttribute(path.written);
}

function kind<K extends "kept" | "readOnly" | "notKept">(kind: K): (name: string) => [string, K] {
  return (name) => [name.toLowerCase(), kind];
}
