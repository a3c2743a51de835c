import { sql, type SQL } from "drizzle-orm";
import type { ScimName } from "../patch/apply-user-patch.ts";

/** The column: what was sent, and whether what the person is called follows from it because no display name was sent. */
export type StoredName = ScimName & { display?: "derived" };

/**
 * `name` as it is answered: what was sent, and of given and family name, which importers insist on, what follows from the
 * display name where nothing was sent: the first word, and what comes after it; both are a name of one word. Never empty.
 */
export function shownName(
  displayName: string,
  sent: ScimName,
): ScimName & Record<"formatted" | "givenName" | "familyName", string> {
  const derived = splitName(displayName);
  return {
    ...sent,
    formatted: sent.formatted || displayName,
    familyName: sent.familyName || derived.familyName,
    givenName: sent.givenName || derived.givenName,
  };
}

function splitName(displayName: string): { givenName: string; familyName: string } {
  const at = displayName.indexOf(" ");
  if (at < 0) return { givenName: displayName, familyName: displayName };
  return { givenName: displayName.slice(0, at), familyName: displayName.slice(at + 1).replace(/^ +/, "") };
}

const sent = (part: string) => sql`nullif(users.name_parts ->> ${sql.raw(`'$.${part}'`)}, '')`;
const blank = sql`instr(users.name, ' ')`;

/** The same in SQL, for filters and orders. */
export const shownNameParts = {
  formatted: sql`coalesce(${sent("formatted")}, users.name)`,
  givenName: sql`coalesce(${sent("givenName")}, CASE ${blank} WHEN 0 THEN users.name ELSE substr(users.name, 1, ${blank} - 1) END)`,
  familyName: sql`coalesce(${sent("familyName")}, CASE ${blank} WHEN 0 THEN users.name ELSE ltrim(substr(users.name, ${blank} + 1)) END)`,
  middleName: sent("middleName"),
  honorificPrefix: sent("honorificPrefix"),
  honorificSuffix: sent("honorificSuffix"),
} as const satisfies Record<string, SQL>;

/** What a person is called whose display name was not sent. */
export function nameWithoutDisplayName(name: ScimName | undefined, userName: string): string {
  const parts = [name?.givenName, name?.middleName, name?.familyName].filter((part) => part?.trim());
  return (name?.formatted?.trim() || parts.join(" ").trim() || userName).slice(0, 200).toWellFormed().trim();
}
