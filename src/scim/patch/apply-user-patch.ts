import type { PatchOperation } from "./parse-patch.ts";

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

/** What of a SCIM user can be written and is kept. */
export interface ScimUserDocument {
  userName: string;
  externalId?: string;
  displayName?: string;
  name?: ScimName;
  emails?: ScimEmail[];
  active: boolean;
}

/** The user after all operations; the one given stays as it is. @throws ScimError when one of them cannot be applied. */
export function applyUserPatch(user: ScimUserDocument, operations: readonly PatchOperation[]): ScimUserDocument {
  throw new Error(`not there yet: ${user.userName} ${operations.length}`);
}

/**
 * A POST or PUT body as a document, with the same leniency as a PATCH: names in any case, "True" for true, dotted keys, e-mails as
 * objects or text; attributes that are not kept are ignored. `active` is undefined where it was not sent.
 * @throws ScimError invalidSyntax, invalidValue (also without a userName)
 */
export function readUserDocument(body: unknown): Omit<ScimUserDocument, "active"> & { active?: boolean } {
  throw new Error(`not there yet: ${typeof body}`);
}
