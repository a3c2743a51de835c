import type { Client } from "@libsql/client";
import { sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { FilterAttributes } from "../../../src/scim/filter/attributes.ts";
import { filterToSql } from "../../../src/scim/filter/filter-to-sql.ts";
import type { Filter } from "../../../src/scim/filter/filter.ts";

/** A resource as SCIM shows it; what is undefined is not there. */
export interface PersonResource {
  id: string;
  userName: string;
  externalId?: string | undefined;
  displayName?: string | undefined;
  active: boolean;
  name?: { givenName?: string | undefined; familyName?: string | undefined } | undefined;
  emails?: { value?: string | undefined; type?: string | undefined; primary?: boolean | undefined }[] | undefined;
  groups?: { value: string; display: string }[] | undefined;
  meta: { created: string; lastModified?: string | undefined };
}

/** Each way in which a value can be kept: a column, an always lower one, one of two, JSON, a list in JSON, rows. */
export const attributes: FilterAttributes = {
  id: { type: "string", caseExact: true, column: sql`p.id` },
  username: {
    type: "string",
    caseExact: false,
    over: (holds) =>
      sql`(p.user_name IS NOT NULL AND ${holds(sql`lower(p.user_name)`)}) OR (p.user_name IS NULL AND ${holds(sql`p.email`)})`,
  },
  externalid: {
    type: "string",
    caseExact: true,
    over: (holds) => sql`p.id IN (SELECT x.person FROM outside x WHERE ${holds(sql`x.external_id`)})`,
  },
  displayname: { type: "string", caseExact: false, column: sql`p.display_name` },
  active: { type: "boolean", column: sql`p.active` },
  name: {
    type: "complex",
    attributes: {
      givenname: { type: "string", caseExact: false, column: sql`p.name_parts ->> 'givenName'` },
      familyname: { type: "string", caseExact: false, column: sql`p.name_parts ->> 'familyName'` },
    },
  },
  emails: {
    type: "multi",
    from: sql`json_each(p.emails) e`,
    attributes: {
      value: { type: "string", caseExact: false, column: sql`e.value ->> 'value'` },
      type: { type: "string", caseExact: false, column: sql`e.value ->> 'type'` },
      primary: { type: "boolean", column: sql`e.value ->> 'primary'` },
    },
  },
  groups: {
    type: "multi",
    from: sql`membership m`,
    where: sql`m.person = p.id`,
    attributes: {
      value: { type: "string", caseExact: true, column: sql`m.group_id` },
      display: { type: "string", caseExact: false, column: sql`m.display` },
    },
  },
  meta: {
    type: "complex",
    attributes: {
      created: { type: "dateTime", column: sql`p.created_at` },
      lastmodified: { type: "dateTime", column: sql`p.updated_at` },
    },
  },
};

export async function createTables(client: Client): Promise<void> {
  await client.executeMultiple(`
    CREATE TABLE people (id TEXT PRIMARY KEY, user_name TEXT, email TEXT, display_name TEXT, active INTEGER NOT NULL,
      name_parts TEXT, emails TEXT, created_at INTEGER NOT NULL, updated_at INTEGER);
    CREATE UNIQUE INDEX people_user_name ON people (lower(user_name));
    CREATE UNIQUE INDEX people_email ON people (email);
    CREATE INDEX people_display_name ON people (lower(display_name));
    CREATE TABLE outside (external_id TEXT PRIMARY KEY, person TEXT NOT NULL);
    CREATE TABLE membership (person TEXT NOT NULL, group_id TEXT NOT NULL, display TEXT NOT NULL, PRIMARY KEY (person, group_id));
  `);
}

export async function fill(client: Client, people: readonly PersonResource[]): Promise<void> {
  const seconds = (time: string | undefined) => (time === undefined ? null : Date.parse(time) / 1000);
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await client.batch(
    [
      "DELETE FROM people",
      "DELETE FROM outside",
      "DELETE FROM membership",
      ...people.flatMap((person) => {
        const lower = person.userName === person.userName.replace(/[A-Z]/g, "");
        return [
          {
            sql: "INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            args: [
              person.id,
              lower ? null : person.userName,
              lower ? person.userName : null,
              person.displayName ?? null,
              person.active ? 1 : 0,
              json(person.name),
              json(person.emails),
              seconds(person.meta.created),
              seconds(person.meta.lastModified),
            ],
          },
          ...(person.externalId === undefined
            ? []
            : [{ sql: "INSERT INTO outside VALUES (?, ?)", args: [person.externalId, person.id] }]),
          ...(person.groups ?? []).map((group) => ({
            sql: "INSERT INTO membership VALUES (?, ?, ?)",
            args: [person.id, group.value, group.display],
          })),
        ];
      }),
    ],
    "write",
  );
}

/** The statement with which a list would be asked, its parameters apart. */
export function statement(filter: Filter): { sql: string; args: (string | number)[] } {
  const query = new SQLiteSyncDialect().sqlToQuery(
    sql`SELECT p.id FROM people p WHERE ${filterToSql(filter, attributes)} ORDER BY p.id`,
  );
  return { sql: query.sql, args: query.params as (string | number)[] };
}

export async function select(client: Client, filter: Filter): Promise<string[]> {
  return (await client.execute(statement(filter))).rows.map((row) => String(row.id));
}
