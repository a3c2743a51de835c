import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../../db/columns.ts";
import { organizations } from "../organizations/tables.ts";

export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** Always lower case: an address is one address whatever its case. */
    email: text("email").notNull().unique(),
    name: text("name").notNull(),
    role: text("role", { enum: ["admin", "user", "pending"] }).notNull(),
    /** `service`: an account of a machine, which nobody can sign in to. Never changes. */
    kind: text("kind", { enum: ["person", "service"] })
      .notNull()
      .default("person"),
    /** Probes of a service account that count in no quota, in an hour; 0 for everyone else. */
    freeProbes: integer("free_probes").notNull().default(0),
    active: flag("active").notNull().default(true),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    organizationRole: text("organization_role", { enum: ["admin", "member"] })
      .notNull()
      .default("member"),
    bio: text("bio"),
    gender: text("gender"),
    dateOfBirth: text("date_of_birth"),
    timezone: text("timezone"),
    /** What they are doing at the moment, for their colleagues; `own-status.ts` says what of it is shown. */
    statusEmoji: text("status_emoji"),
    statusMessage: text("status_message"),
    /** Epoch seconds. */
    statusExpiresAt: integer("status_expires_at"),
    settings: json<Record<string, unknown>>("settings"),
    info: json<Record<string, unknown>>("info"),
    /** `{<provider>: {sub}}`; `identities` follows it by trigger. */
    oauth: json<Record<string, { sub: string }>>("oauth"),
    /** `{<provider>: {external_id}}`; `identities` follows it by trigger. */
    scim: json<Record<string, { external_id: string }>>("scim"),
    /** SCIM `userName` as it was sent, where it is not the address itself; look-ups ignore its case. */
    userName: text("user_name"),
    /** SCIM `name` as it was sent; null where it follows from `name`. */
    nameParts: json<Record<string, string>>("name_parts"),
    /** SCIM `emails` as they were sent; null where there is only the account's own. */
    emails: json<Record<string, unknown>[]>("emails"),
    /** When somebody signed up who has not been approved since; a trigger clears it with the role. Null for everyone else. */
    waitingSince: integer("waiting_since"),
    /** The network they signed up from, as a keyed hash; only as long as they wait. */
    waitingNetwork: text("waiting_network"),
    lastActiveAt: integer("last_active_at").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("users_name").on(sql`name COLLATE NOCASE`, table.id),
    index("users_role").on(table.role, table.id),
    index("users_created_at").on(table.createdAt, table.id),
    index("users_last_active_at").on(table.lastActiveAt, table.id),
    index("users_waiting_since")
      .on(table.waitingSince)
      .where(sql`waiting_since IS NOT NULL`),
    index("users_waiting_network")
      .on(table.waitingNetwork)
      .where(sql`waiting_network IS NOT NULL`),
    index("users_organization").on(table.organizationId, table.id),
    index("users_organization_created").on(table.organizationId, table.createdAt, table.id),
    index("users_organization_name").on(table.organizationId, sql`name COLLATE NOCASE`, table.id),
    index("users_service")
      .on(table.id)
      .where(sql`kind = 'service'`),
    uniqueIndex("users_user_name").on(sql`lower(user_name)`),
    check("users_email_lower", sql`${table.email} = lower(${table.email})`),
  ],
);

/**
 * A person's external identities: each `sub` of `users.oauth` and each `external_id` of `users.scim`. Maintained by
 * triggers; a duplicate id fails the write.
 */
export const identities = sqliteTable(
  "identities",
  {
    source: text("source", { enum: ["oauth", "scim"] }).notNull(),
    provider: text("provider").notNull(),
    externalId: text("external_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.provider, table.externalId] }),
    index("identities_user").on(table.userId),
  ],
);

/** Separate from the person's row, so that no list or export can include a hash. */
export const passwords = sqliteTable("passwords", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** scrypt with its parameters: `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`. Imported ones are by bcrypt or argon2 until the first sign-in. */
  hash: text("hash").notNull(),
  updatedAt: updatedAt(),
});

/** Separate because a picture may be a data URL of some hundred kilobytes, which lists of people must not read. */
export const profileImages = sqliteTable("profile_images", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** An http(s) address, or a data URL of a PNG, JPEG, WebP or GIF. */
  url: text("url").notNull(),
  updatedAt: updatedAt(),
});
