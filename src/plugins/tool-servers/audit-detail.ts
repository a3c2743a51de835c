import type { ToolServerRow } from "./tool-server.ts";

/** Some people put keys into the query of an address. */
export function plainUrl(text: string): string {
  return text.replace(/\?.*$/s, "?…");
}

/** Whose log the change stands in: that of the organization, where it is of one. */
export function homeOf({ userId, organizationId }: Pick<ToolServerRow, "userId" | "organizationId">) {
  return userId !== null ? {} : { organizationId };
}
