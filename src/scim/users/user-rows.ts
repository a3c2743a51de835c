import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { users } from "../../people/users/tables.ts";
import type { ScimEmail, ScimName, ScimUserDocument } from "../patch/apply-user-patch.ts";
import { locationOf } from "../paths.ts";
import { isWanted, type Projection } from "../projection.ts";
import { findProvider } from "../provider.ts";
import { type ScimUser, userSchema } from "../schema.ts";
import { nameWithoutDisplayName, shownName, type StoredName } from "./name-parts.ts";

const groupsOf = sql<string>`(SELECT json_group_array(json_object('value', g.id, 'display', g.name))
  FROM (SELECT g.id, g.name FROM group_members m JOIN groups g ON g.id = m.group_id WHERE m.user_id = users.id ORDER BY g.id) g)`;

/** JSON columns as their text: a write compares them with what it has read. */
const columns = (provider: string | undefined, groups: SQL<string>) => ({
  id: users.id,
  email: users.email,
  name: users.name,
  active: users.active,
  userName: users.userName,
  nameParts: sql<string | null>`users.name_parts`,
  emails: sql<string | null>`users.emails`,
  externalId: sentExternalId(provider),
  linkedId: linkedId(provider),
  groups,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
});

/** The sent externalId for the provider. */
export function sentExternalId(provider: string | undefined): SQL<string | null> {
  return provider === undefined ? sql<null>`NULL` : sql<string | null>`users.scim ->> ${`$."${provider}".external_id`}`;
}

/** The subject with which the person has signed in at the provider. */
export function linkedId(provider: string | undefined): SQL<string | null> {
  return provider === undefined ? sql<null>`NULL` : sql<string | null>`users.oauth ->> ${`$."${provider}".sub`}`;
}

/** Service accounts are none of the identity provider's: it does not find them, and so does not switch them off. */
export const isProvisionable = eq(users.kind, "person");

/** People with the columns for SCIM; groups only if requested. */
export function selectUsers(ctx: Context, projection: Projection) {
  const groups = isWanted(projection, "groups") ? groupsOf : sql<string>`'[]'`;
  return ctx.db
    .select(columns(findProvider(ctx), groups))
    .from(users)
    .$dynamic();
}

export function selectUser(ctx: Context, userId: string, projection: Projection) {
  return selectUsers(ctx, projection).where(and(eq(users.id, userId), isProvisionable));
}

export type UserRow = Awaited<ReturnType<typeof selectUsers>>[number];

/** The representation of a person in all responses. */
export function toScimUser(ctx: Context, row: UserRow): ScimUser {
  const externalId = row.externalId ?? row.linkedId;
  const groups = JSON.parse(row.groups) as { value: string; display: string }[];
  return {
    schemas: [userSchema],
    id: row.id,
    ...(externalId !== null && { externalId }),
    userName: userNameOf(row),
    name: shownName(row.name, sentName(row).name),
    displayName: row.name,
    active: row.active,
    emails: shownEmails(row),
    groups: groups.map((group) => ({ ...group, $ref: locationOf(ctx, "Groups", group.value), type: "direct" })),
    meta: {
      resourceType: "User",
      created: new Date(row.createdAt * 1000).toISOString(),
      lastModified: new Date(row.updatedAt * 1000).toISOString(),
      location: locationOf(ctx, "Users", row.id),
    },
  };
}

/** A person's sent data, as the basis of a PATCH: without derived values. */
export function toDocument(row: UserRow): ScimUserDocument {
  const { name, display } = sentName(row);
  const emails = parse<ScimEmail[]>(row.emails);
  const userName = userNameOf(row);
  // Unless somebody here has given another name since.
  const isDerived = display !== undefined && row.name === nameWithoutDisplayName(name, userName);
  return {
    userName,
    active: row.active,
    ...(!isDerived && { displayName: row.name }),
    ...(row.externalId !== null && { externalId: row.externalId }),
    ...(Object.keys(name).length > 0 && { name }),
    ...(emails && { emails }),
  };
}

function sentName(row: Pick<UserRow, "nameParts">): { name: ScimName; display: StoredName["display"] } {
  const { display, ...name } = parse<StoredName>(row.nameParts) ?? {};
  return { name, display };
}

/** The sent e-mails, otherwise the account's own. */
export function shownEmails(row: Pick<UserRow, "email" | "emails">): ScimEmail[] {
  return parse<ScimEmail[]>(row.emails) ?? [{ value: row.email, type: "work", primary: true }];
}

function userNameOf(row: { userName: string | null; email: string }): string {
  return row.userName ?? row.email;
}

function parse<T>(json: string | null): T | undefined {
  return json === null ? undefined : (JSON.parse(json) as T);
}

/** A person's data in the audit log. */
export function userSnapshot(userId: string, provider: string | undefined): SQL {
  return sql`(SELECT json_object('userName', coalesce(user_name, email), 'email', email, 'displayName', name, 'name', json(name_parts),
    'emails', json(emails), 'active', json(iif(active, 'true', 'false')), 'externalId', ${sentExternalId(provider)}) FROM ${users} WHERE users.id = ${userId})`;
}
