import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../../db/columns.ts";
import { organizations } from "../../people/organizations/tables.ts";
import { users } from "../../people/users/tables.ts";

/** OpenAPI and MCP servers whose functions models may call. */
export const toolServers = sqliteTable(
  "tool_servers",
  {
    id: id(),
    kind: text("kind", { enum: ["openapi", "mcp"] }).notNull(),
    name: text("name").notNull(),
    description: text("description").notNull().default(""),
    /** Base address of an OpenAPI server, endpoint of an MCP server. */
    url: text("url").notNull(),
    /** Where the OpenAPI document is: a path below `url`, or an address of its own. */
    specPath: text("spec_path").notNull().default(""),
    authType: text("auth_type", { enum: ["none", "bearer", "session", "oauth"] })
      .notNull()
      .default("none"),
    /** Sealed JSON: the bearer key, further headers, the OAuth client. */
    sealedSecrets: text("sealed_secrets"),
    /** Functions that may be called; empty for all. */
    functions: json<string[]>("functions").notNull(),
    /** Whose people use it; null for everyone's. */
    organizationId: text("organization_id").references(() => organizations.id, { onDelete: "cascade" }),
    /** Whose own (direct) server it is; null for those that administrators keep. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    enabled: flag("enabled").notNull().default(true),
    /** Seconds that one call may take. */
    timeout: integer("timeout").notNull().default(60),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("tool_servers_user").on(table.userId), index("tool_servers_organization").on(table.organizationId)],
);

/** People's own access tokens for servers with OAuth. */
export const toolServerTokens = sqliteTable(
  "tool_server_tokens",
  {
    serverId: text("server_id")
      .notNull()
      .references(() => toolServers.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Sealed JSON: access and refresh token. */
    sealedTokens: text("sealed_tokens").notNull(),
    /** Epoch seconds; null where the server does not say. */
    expiresAt: integer("expires_at"),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.serverId, table.userId] }),
    index("tool_server_tokens_user").on(table.userId),
  ],
);
