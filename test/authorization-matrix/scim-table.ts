import { always, provisioner, type Row } from "./cells.ts";

/** SCIM speaks of people and groups as themselves; its bodies are tested elsewhere. */
const provisioning: Row = { may: provisioner };
const provisionedUser: Row = { ids: { id: "user" }, may: provisioner };
const provisionedGroup: Row = { ids: { id: "group" }, may: provisioner };
const search: Row = {
  say: () => ({ json: { schemas: ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"] } }),
  may: provisioner,
};
const userResource = () => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName: `${crypto.randomUUID()}@harbour.example`,
  displayName: "Ada",
});
const groupResource = () => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
  displayName: `name-${crypto.randomUUID()}`,
});
const patch = () => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations: [{ op: "replace", path: "displayName", value: `name-${crypto.randomUUID()}` }],
});

/** Provisioning, as rows of the table. */
export const scimTable: Readonly<Record<string, Row>> = {
  "GET /api/v1/scim/v2/ServiceProviderConfig": provisioning,
  "GET /api/v1/scim/v2/ResourceTypes": provisioning,
  "GET /api/v1/scim/v2/Schemas": provisioning,
  "GET /api/v1/scim/v2/ResourceTypes/:id": { ids: { id: "word" }, may: always(404) },
  "GET /api/v1/scim/v2/Schemas/:id": { ids: { id: "word" }, may: always(404) },
  "GET /api/v1/scim/v2/Users": provisioning,
  "POST /api/v1/scim/v2/Users/.search": search,
  "POST /api/v1/scim/v2/Users": { say: () => ({ json: userResource() }), may: provisioner },
  "GET /api/v1/scim/v2/Users/:id": provisionedUser,
  "PUT /api/v1/scim/v2/Users/:id": { ...provisionedUser, say: () => ({ json: userResource() }) },
  "PATCH /api/v1/scim/v2/Users/:id": { ...provisionedUser, say: () => ({ json: patch() }) },
  "DELETE /api/v1/scim/v2/Users/:id": provisionedUser,
  "GET /api/v1/scim/v2/Groups": provisioning,
  "POST /api/v1/scim/v2/Groups/.search": search,
  "POST /api/v1/scim/v2/Groups": { say: () => ({ json: groupResource() }), may: provisioner },
  "GET /api/v1/scim/v2/Groups/:id": provisionedGroup,
  "PUT /api/v1/scim/v2/Groups/:id": { ...provisionedGroup, say: () => ({ json: groupResource() }) },
  "PATCH /api/v1/scim/v2/Groups/:id": { ...provisionedGroup, say: () => ({ json: patch() }) },
  "DELETE /api/v1/scim/v2/Groups/:id": provisionedGroup,
};
