import { hasPermission, managesOrganization, type User } from "../../access.ts";
import { isGranted } from "../../people/grants/grant.ts";
import type { ToolServer } from "./tool-server.ts";

/**
 * Whether the person may call the server's functions. Own servers: while people may have them. Servers managed by
 * administrators: all for system administrators, those of their organization for its administrators, and those in
 * grants for people of the server's organization.
 */
export function mayUseServer(user: User, server: ToolServer): boolean {
  if (!server.enabled) return false;
  if (server.userId !== null) return server.userId === user.id && hasPermission(user, "features.direct_tool_servers");
  if (mayChangeServer(user, server)) return true;
  const isInside = server.organizationId === null || server.organizationId === user.organizationId;
  return isInside && isGranted(user, server.grants, "read");
}

/** Whether the person may change the server and see its connection details. */
export function mayChangeServer(user: User, server: Pick<ToolServer, "userId" | "organizationId">): boolean {
  if (server.userId !== null) return server.userId === user.id;
  return server.organizationId === null ? user.role === "admin" : managesOrganization(user, server.organizationId);
}

/**
 * Whether the server may have a private address: only those that system administrators alone can enter. People's own
 * servers, and those of one organization, are treated like any untrusted address.
 */
export function isTrusted(server: Pick<ToolServer, "userId" | "organizationId">): boolean {
  return server.userId === null && server.organizationId === null;
}
