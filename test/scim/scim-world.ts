import { type Answer, createWorld, type RequestOptions, type World, type WorldOptions } from "../world.ts";

export const token = "the-token-that-the-identity-provider-has";
export const base = "/api/v1/scim/v2";
export const userUrn = "urn:ietf:params:scim:schemas:core:2.0:User";
export const groupUrn = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const patchUrn = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const enterpriseUrn = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
export const errorUrn = "urn:ietf:params:scim:api:messages:2.0:Error";

export const scimEnvironment = { SCIM_ENABLED: "true", SCIM_TOKEN: token, SCIM_AUTH_PROVIDER: "oidc" };

export interface Resource {
  id: string;
  meta: { location: string; created: string; lastModified: string };
  [attribute: string]: unknown;
}

export interface List {
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: Resource[];
}

export interface Failure {
  schemas: string[];
  status: string;
  scimType?: string;
  detail: string;
}

/** A world with an identity provider in it. */
export interface ScimWorld extends World {
  scim<T = Resource>(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>>;
  /** The people or groups that a filter finds. */
  find(kind: "Users" | "Groups", filter: string): Promise<List>;
  patch<T = Resource>(path: string, ...operations: unknown[]): Promise<Answer<T>>;
  /** Made, and checked to be. */
  makeUser(attributes?: Record<string, unknown>): Promise<Resource>;
  makeGroup(displayName: string, members?: string[], attributes?: Record<string, unknown>): Promise<Resource>;
}

let made = 0;

/** An address that nobody has had before. */
export const newAddress = () => `person${++made}@harbour.example`;

export async function createScimWorld(options: WorldOptions = {}): Promise<ScimWorld> {
  const world = await createWorld({ ...options, environment: { ...scimEnvironment, ...options.environment } });
  const scim: ScimWorld["scim"] = (method, path, body, { headers, ...rest } = {}) =>
    world.call(`${base}${path}`, {
      as: token,
      ...rest,
      method,
      ...(body === undefined
        ? { headers: headers ?? {} }
        : { body: JSON.stringify(body), headers: { "content-type": "application/scim+json", ...headers } }),
    });
  return {
    ...world,
    scim,
    find: async (kind, filter) => (await scim<List>("GET", `/${kind}?filter=${encodeURIComponent(filter)}`)).body,
    patch: (path, ...Operations) => scim("PATCH", path, { schemas: [patchUrn], Operations }),
    async makeUser(attributes = {}) {
      const { status, body } = await scim("POST", "/Users", {
        schemas: [userUrn],
        userName: newAddress(),
        ...attributes,
      });
      if (status !== 201) throw new Error(`the user was not made: ${JSON.stringify(body)}`);
      return body;
    },
    async makeGroup(displayName, members = [], attributes = {}) {
      const list = members.map((value) => ({ value }));
      const { status, body } = await scim("POST", "/Groups", {
        schemas: [groupUrn],
        displayName,
        members: list,
        ...attributes,
      });
      if (status !== 201) throw new Error(`the group was not made: ${JSON.stringify(body)}`);
      return body;
    },
  };
}
