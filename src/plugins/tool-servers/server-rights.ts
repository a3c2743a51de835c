import { hasPermission, managesOrganization, type User } from "../../access.ts";
import { isGranted } from "../../people/grants/grant.ts";
import type { ToolServer } from "./tool-server.ts";

/**
 * Whether the person may have the server's functions called. One's own: while people may have any. Of those that
 * administrators keep: system administrators all, an organization's administrators theirs, and whom grants name, as far as
 * they belong to the organization of the server.
 */
export function mayUseServer(user: User, server: ToolServer): boolean {
  if (!server.enabled) return false;
  if (server.userId !== null) return server.userId === user.id && hasPermission(user, "features.direct_tool_servers");
  if (mayChangeServer(user, server)) return true;
  const isInside = server.organizationId === null || server.organizationId === user.organizationId;
  return isInside && isGranted(user, server.grants, "read");
}

/** Whether the person may change the server and see how it is reached. */
export function mayChangeServer(user: User, server: Pick<ToolServer, "userId" | "organizationId">): boolean {
  if (server.userId !== null) return server.userId === user.id;
  return server.organizationId === null ? user.role === "admin" : managesOrganization(user, server.organizationId);
}

/**
 * Whether the server may stand at a private address: only what system administrators alone can enter. People's own servers,
 * and those of one organization, which its administrators enter, are reached as every address that somebody chose.
 */
export function isTrusted(server: Pick<ToolServer, "userId" | "organizationId">): boolean {
  return server.userId === null && server.organizationId === null;
}
