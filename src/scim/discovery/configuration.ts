import { maxResults } from "../list-query.ts";
import { locationOf } from "../paths.ts";
import { groupSchema, userSchema } from "../schema.ts";

type Origin = { origin: string };

/** The features of this service (RFC 7643, section 5). */
export function serviceProviderConfig(ctx: Origin): Record<string, unknown> {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "The value of SCIM_TOKEN, sent as Authorization: Bearer <token>",
        specUri: "https://www.rfc-editor.org/rfc/rfc6750",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: locationOf(ctx, "ServiceProviderConfig") },
  };
}

/** The resource types (RFC 7643, section 6); none has extensions. */
export function resourceTypes(ctx: Origin): Record<string, unknown>[] {
  const type = (id: string, endpoint: string, description: string, schema: string) => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id,
    name: id,
    endpoint,
    description,
    schema,
    schemaExtensions: [],
    meta: { resourceType: "ResourceType", location: locationOf(ctx, "ResourceTypes", id) },
  });
  return [
    type("User", "/Users", "Accounts of people", userSchema),
    type("Group", "/Groups", "Groups of people", groupSchema),
  ];
}
