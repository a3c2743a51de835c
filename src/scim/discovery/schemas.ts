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

const id = attribute("id", "Made here, never changes", {
  caseExact: true,
  mutability: "readOnly",
  returned: "always",
  uniqueness: "server",
});

const externalId = (description: string) =>
  attribute("externalId", description, { caseExact: true, uniqueness: "server" });

const meta = attribute("meta", "About the resource itself", {
  type: "complex",
  mutability: "readOnly",
  subAttributes: [
    attribute("resourceType", "User or Group", { caseExact: true, mutability: "readOnly" }),
    attribute("created", "When it was made", { type: "dateTime", mutability: "readOnly" }),
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
  externalId("Identifier in the identity provider, kept for the sign-in provider that SCIM_AUTH_PROVIDER names"),
  attribute("userName", "An e-mail address; kept as sent, compared without its case", {
    required: true,
    uniqueness: "server",
  }),
  attribute("name", "The parts of the name, as sent", {
    type: "complex",
    subAttributes: [
      attribute("formatted", "The whole name"),
      attribute("familyName", "Family name; from the display name where it was not sent"),
      attribute("givenName", "Given name; from the display name where it was not sent"),
      attribute("middleName", "Middle names"),
      attribute("honorificPrefix", "Such as Dr."),
      attribute("honorificSuffix", "Such as III"),
    ],
  }),
  attribute("displayName", "What the person is called here; from name or userName where it was not sent"),
  attribute("active", "Whether the account can be used", { type: "boolean" }),
  attribute("emails", "E-mail addresses; the primary one, else the first, is the account's", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The address", { required: true }),
      attribute("display", "A label"),
      attribute("type", "What it is for", { canonicalValues: ["work", "home", "other"] }),
      attribute("primary", "Whether it is the account's; at most one is", { type: "boolean" }),
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
  externalId("Identifier in the identity provider"),
  attribute("displayName", "Name of the group; there is one of each name, whatever its case", {
    required: true,
    uniqueness: "server",
  }),
  attribute("members", "People in the group; groups in groups there are none", {
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
      attribute("display", "What the person is called here", { mutability: "readOnly" }),
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
