import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { FilterAttribute, FilterAttributes } from "../filter/attributes.ts";
import type { SortExpressions } from "../list-query.ts";
import { requireProvider } from "../provider.ts";
import { userSchema } from "../schema.ts";
import { shownNameParts } from "./name-parts.ts";
import { linkedId, sentExternalId } from "./user-rows.ts";

/**
 * The locations of the attributes in `toScimUser` for filters. `userName`, `externalId` and `id`, used to look up every
 * person on each synchronization, use indexes.
 */
export function userAttributes(ctx: Context): FilterAttributes {
  return {
    id: { type: "string", caseExact: true, column: sql`users.id` },
    get externalid() {
      return externalId(requireProvider(ctx));
    },
    username: {
      type: "string",
      caseExact: false,
      over: (holds) =>
        sql`((users.user_name IS NOT NULL AND ${holds(sql`lower(users.user_name)`)}) OR (users.user_name IS NULL AND ${holds(sql`users.email`)}))`,
    },
    displayname: { type: "string", caseExact: false, column: sql`users.name` },
    name: {
      type: "complex",
      attributes: {
        formatted: { type: "string", caseExact: false, column: shownNameParts.formatted },
        givenname: { type: "string", caseExact: false, column: shownNameParts.givenName },
        familyname: { type: "string", caseExact: false, column: shownNameParts.familyName },
        middlename: { type: "string", caseExact: false, column: shownNameParts.middleName },
        honorificprefix: { type: "string", caseExact: false, column: shownNameParts.honorificPrefix },
        honorificsuffix: { type: "string", caseExact: false, column: shownNameParts.honorificSuffix },
      },
    },
    active: { type: "boolean", column: sql`users.active` },
    emails: {
      type: "multi",
      from: sql`json_each(coalesce(users.emails, json_array(json_object('value', users.email, 'type', 'work', 'primary', json('true'))))) e`,
      attributes: {
        value: { type: "string", caseExact: false, column: sql`(e.value ->> '$.value')` },
        type: { type: "string", caseExact: false, column: sql`(e.value ->> '$.type')` },
        display: { type: "string", caseExact: false, column: sql`(e.value ->> '$.display')` },
        primary: { type: "boolean", column: sql`(e.value ->> '$.primary')` },
      },
    },
    groups: {
      type: "multi",
      from: sql`group_members gm JOIN groups gg ON gg.id = gm.group_id`,
      where: sql`gm.user_id = users.id`,
      attributes: {
        value: { type: "string", caseExact: true, column: sql`gm.group_id` },
        display: { type: "string", caseExact: false, column: sql`gg.name` },
        type: { type: "string", caseExact: false, column: sql`'direct'` },
      },
    },
    schemas: { type: "string", caseExact: true, column: sql`${userSchema}` },
    meta: {
      type: "complex",
      attributes: {
        resourcetype: { type: "string", caseExact: true, column: sql`'User'` },
        created: { type: "dateTime", column: sql`users.created_at` },
        lastmodified: { type: "dateTime", column: sql`users.updated_at` },
      },
    },
  };
}

/** The id that was sent, else the subject under which the person has signed in: at the one provider, so one id is one person. */
function externalId(provider: string): FilterAttribute {
  return {
    type: "string",
    caseExact: true,
    over: (holds) =>
      sql`(users.id IN (SELECT i.user_id FROM identities i WHERE i.source = 'scim' AND i.provider = ${provider} AND ${holds(sql`i.external_id`)})
        OR users.id IN (SELECT i.user_id FROM identities i WHERE i.source = 'oauth' AND i.provider = ${provider} AND ${holds(sql`i.external_id`)}
          AND NOT EXISTS (SELECT 1 FROM identities s WHERE s.user_id = i.user_id AND s.source = 'scim' AND s.provider = i.provider)))`,
  };
}

/** Sortable attributes of people. Of several e-mails the account's own counts. */
export function userSorts(ctx: Context): SortExpressions {
  const lower = (part: keyof typeof shownNameParts) => sql`lower(${shownNameParts[part]})`;
  return {
    id: sql`users.id`,
    get externalid() {
      const provider = requireProvider(ctx);
      return sql`coalesce(${sentExternalId(provider)}, ${linkedId(provider)})`;
    },
    username: sql`lower(coalesce(users.user_name, users.email))`,
    displayname: sql`lower(users.name)`,
    "name.formatted": lower("formatted"),
    "name.givenname": lower("givenName"),
    "name.familyname": lower("familyName"),
    "name.middlename": lower("middleName"),
    emails: sql`users.email`,
    "emails.value": sql`users.email`,
    active: sql`users.active`,
    "meta.created": sql`users.created_at`,
    "meta.lastmodified": sql`users.updated_at`,
  };
}
