import { locationOf } from "../paths.ts";
import { groupSchema, userSchema } from "../schema.ts";

interface Attribute {
  name: string;
  type: "string" | "boolean" | "complex" | "reference" | "dateTime";
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: "readOnly" | "readWrite" | "immutable" | "writeOnly";
  returned: "always" | "never" | "default" | "request";
  uniqueness: "none" | "server" | "global";
  canonicalValues?: string[];
  referenceTypes?: string[];
  subAttributes?: Attribute[];
}

function attribute(name: string, description: string, further: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: "string",
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: "readWrite",
    returned: "default",
    uniqueness: "none",
    ...further,
  };
}

const id = attribute("id", "Created by the service, never changes", {
  caseExact: true,
  mutability: "readOnly",
  returned: "always",
  uniqueness: "server",
});

const externalId = (description: string) =>
  attribute("externalId", description, { caseExact: true, uniqueness: "server" });

const meta = attribute("meta", "Metadata of the resource", {
  type: "complex",
  mutability: "readOnly",
  subAttributes: [
    attribute("resourceType", "User or Group", { caseExact: true, mutability: "readOnly" }),
    attribute("created", "When it was created", { type: "dateTime", mutability: "readOnly" }),
    attribute("lastModified", "When it last changed", { type: "dateTime", mutability: "readOnly" }),
    attribute("location", "Its address", {
      type: "reference",
      referenceTypes: ["uri"],
      caseExact: true,
      mutability: "readOnly",
    }),
  ],
});

const userAttributes: Attribute[] = [
  id,
  externalId("Identifier at the identity provider, stored for the sign-in provider in SCIM_AUTH_PROVIDER"),
  attribute("userName", "An e-mail address; stored as sent, compared case-insensitively", {
    required: true,
    uniqueness: "server",
  }),
  attribute("name", "The parts of the name, as sent", {
    type: "complex",
    subAttributes: [
      attribute("formatted", "The whole name"),
      attribute("familyName", "Family name; derived from the display name if it was not sent"),
      attribute("givenName", "Given name; derived from the display name if it was not sent"),
      attribute("middleName", "Middle names"),
      attribute("honorificPrefix", "Such as Dr."),
      attribute("honorificSuffix", "Such as III"),
    ],
  }),
  attribute("displayName", "The displayed name; derived from name or userName if it was not sent"),
  attribute("active", "Whether the account can be used", { type: "boolean" }),
  attribute("emails", "E-mail addresses; the account uses the primary one, or the first if none is primary", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The address", { required: true }),
      attribute("display", "A label"),
      attribute("type", "What it is for", { canonicalValues: ["work", "home", "other"] }),
      attribute("primary", "Whether the account uses this address; at most one entry is primary", { type: "boolean" }),
    ],
  }),
  attribute("groups", "Groups the person is a member of", {
    type: "complex",
    multiValued: true,
    mutability: "readOnly",
    subAttributes: [
      attribute("value", "Id of the group", { caseExact: true, mutability: "readOnly" }),
      attribute("$ref", "Address of the group", {
        type: "reference",
        referenceTypes: ["Group"],
        caseExact: true,
        mutability: "readOnly",
      }),
      attribute("display", "Name of the group", { mutability: "readOnly" }),
      attribute("type", "Always direct", { canonicalValues: ["direct"], mutability: "readOnly" }),
    ],
  }),
  meta,
];

const groupAttributes: Attribute[] = [
  id,
  externalId("Identifier at the identity provider"),
  attribute("displayName", "Name of the group; unique, compared case-insensitively", {
    required: true,
    uniqueness: "server",
  }),
  attribute("members", "People in the group; nested groups are not supported", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "Id of the person", { required: true, caseExact: true, mutability: "immutable" }),
      attribute("$ref", "Address of the person", {
        type: "reference",
        referenceTypes: ["User"],
        caseExact: true,
        mutability: "readOnly",
      }),
      attribute("display", "The displayed name", { mutability: "readOnly" }),
      attribute("type", "Always User", { canonicalValues: ["User"], mutability: "readOnly" }),
    ],
  }),
  meta,
];

/** What resources are made of (RFC 7643, section 7): what is kept, and nothing else. */
export function schemas(ctx: { origin: string }): Record<string, unknown>[] {
  const schema = (urn: string, name: string, description: string, attributes: Attribute[]) => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
    id: urn,
    name,
    description,
    attributes,
    meta: { resourceType: "Schema", location: `${locationOf(ctx, "Schemas")}/${urn}` },
  });
  return [
    schema(userSchema, "User", "Account of a person", userAttributes),
    schema(groupSchema, "Group", "Group of people", groupAttributes),
  ];
}
