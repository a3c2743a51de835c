import * as z from "zod";

/** Formats of SCIM 2.0 (RFC 7643, RFC 7644): camelCase, ISO 8601 times, no nulls. */
export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User";
export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group";
const listResponse = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

const time = z.iso.datetime();
const schemas = z.array(z.string());

const meta = <T extends string>(resourceType: T) =>
  z.object({ resourceType: z.literal(resourceType), created: time, lastModified: time, location: z.string() });

export const scimUser = z.object({
  schemas,
  id: z.string(),
  externalId: z.string().optional(),
  userName: z.string(),
  name: z.object({
    formatted: z.string(),
    familyName: z.string(),
    givenName: z.string(),
    middleName: z.string().optional(),
    honorificPrefix: z.string().optional(),
    honorificSuffix: z.string().optional(),
  }),
  displayName: z.string(),
  active: z.boolean(),
  emails: z.array(
    z.object({
      value: z.string(),
      type: z.string().optional(),
      primary: z.boolean().optional(),
      display: z.string().optional(),
    }),
  ),
  groups: z.array(z.object({ value: z.string(), display: z.string(), $ref: z.string(), type: z.literal("direct") })),
  meta: meta("User"),
});
export type ScimUser = z.infer<typeof scimUser>;

export const scimGroup = z.object({
  schemas,
  id: z.string(),
  externalId: z.string().optional(),
  displayName: z.string(),
  members: z.array(z.object({ value: z.string(), display: z.string(), $ref: z.string(), type: z.literal("User") })),
  meta: meta("Group"),
});
export type ScimGroup = z.infer<typeof scimGroup>;

export const scimList = z.object({
  schemas: z.tuple([z.literal(listResponse)]),
  totalResults: z.number().int(),
  startIndex: z.number().int(),
  itemsPerPage: z.number().int(),
  Resources: z.array(z.record(z.string(), z.unknown())),
});
export type ScimList = z.infer<typeof scimList>;

/** The envelope of one page. */
export function listOf(resources: Record<string, unknown>[], totalResults: number, startIndex: number): ScimList {
  return {
    schemas: [listResponse],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

export const scimErrorBody = z.object({
  schemas,
  status: z.string(),
  scimType: z.string().optional(),
  detail: z.string(),
});

/** For administrators: the configuration of provisioning. */
export const scimStatus = z.object({
  enabled: z.boolean(),
  base_url: z.string(),
  /** Sign-in provider that externalId belongs to. */
  provider: z.string().nullable(),
  /** Why it cannot be used; null if it can. */
  provider_problem: z.enum(["unset", "unknown"]).nullable(),
  /** Which tokens are accepted, with the last characters of long ones. */
  tokens: z.array(z.object({ variable: z.string(), hint: z.string() })),
  ip_allowlist: z.array(z.string()),
  warnings: z.array(z.string()),
  /** How many the identity provider sees. */
  users: z.number().int(),
  groups: z.number().int(),
  /** Epoch seconds; null before the first request. */
  last_request_at: z.number().int().nullable(),
});
export type ScimStatus = z.infer<typeof scimStatus>;
