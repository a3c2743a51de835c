import type { ToolServerRow } from "./tool-server.ts";

/** The address without its query, because some people put keys there. */
export function plainUrl(text: string): string {
  return text.replace(/\?.*$/s, "?…");
}

/** The audit log of the change: the organization's, if it belongs to one. */
export function homeOf({ userId, organizationId }: Pick<ToolServerRow, "userId" | "organizationId">) {
  return userId !== null ? {} : { organizationId };
}
