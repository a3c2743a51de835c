import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../../db/columns.ts";
import type { RetentionKind } from "../../shared/retention-kinds.ts";

export const organizations = sqliteTable("organizations", {
  id: id(),
  name: text("name").notNull(),
  active: flag("active").notNull().default(true),
  /** Where people land for whom no rule decides; exactly one row has it. */
  isDefault: flag("is_default").notNull().default(false),
  /** Models its people see; null for all. */
  modelIds: json<string[] | null>("model_ids"),
  /** Models that new chats of its people start with; null for the setting DEFAULT_MODELS. */
  defaultModels: json<string[] | null>("default_models"),
  /** Leaves of the permission tree's branch `features` that are off for its people: `{"api_keys": false}`. */
  features: json<Record<string, boolean>>("features").notNull(),
  /** Megabytes that its people may store together; 0 for no limit, null for the setting MAX_ORGANIZATION_STORAGE. */
  maxStorage: integer("max_storage"),
  /** Days after which things are removed; 0 for never, a kind that is not there follows the setting. */
  retention: json<Partial<Record<RetentionKind, number>>>("retention").notNull().default({}),
  /** Whether its people need a second factor when they sign in with a password, whatever the setting SECOND_FACTOR says. */
  requiresSecondFactor: flag("requires_second_factor").notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** Landing rules, in order: the first one that matches and whose organization is active decides. */
export const landingRules = sqliteTable(
  "landing_rules",
  {
    id: id(),
    position: integer("position").notNull(),
    kind: text("kind", { enum: ["attribute", "group", "email_domain"] }).notNull(),
    /** Name of the SCIM attribute or OIDC claim, dotted where nested; "" for the other kinds. */
    attribute: text("attribute").notNull().default(""),
    /** What it has to be: the attribute's value, the group's name at the provider, or the domain in lower case. */
    value: text("value").notNull(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [
    index("landing_rules_position").on(table.position),
    index("landing_rules_organization").on(table.organizationId),
  ],
);
