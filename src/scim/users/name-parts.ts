import { sql, type SQL } from "drizzle-orm";
import type { ScimName } from "../patch/apply-user-patch.ts";

/** The stored name: what was sent, and whether the displayed name is derived from it because none was sent. */
export type StoredName = ScimName & { display?: "derived" };

/** What a whole name is made of, in its order. */
const wholeName = ["honorificPrefix", "givenName", "middleName", "familyName", "honorificSuffix"] as const;

/**
 * `name` in responses: what was sent. Importers require given and family name, so missing ones are derived from the
 * display name: the first word, and the rest; a single word is used for both. `formatted` is derived from the parts if
 * a given or family name was sent, otherwise from the display name. Never empty.
 */
export function shownName(
  displayName: string,
  sent: ScimName,
): ScimName & Record<"formatted" | "givenName" | "familyName", string> {
  const derived = splitName(displayName);
  const isNamed = Boolean(sent.givenName || sent.familyName);
  const whole = wholeName.flatMap((part) => sent[part] || []).join(" ");
  return {
    ...sent,
    formatted: sent.formatted || (isNamed ? whole : displayName),
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
const whole = sql`concat_ws(' ', ${sql.join(wholeName.map(sent), sql`, `)})`;
const isNamed = sql`coalesce(${sent("givenName")}, ${sent("familyName")}) IS NOT NULL`;

/** The same in SQL, for filters and sorting. */
export const shownNameParts = {
  formatted: sql`coalesce(${sent("formatted")}, iif(${isNamed}, ${whole}, users.name))`,
  givenName: sql`coalesce(${sent("givenName")}, CASE ${blank} WHEN 0 THEN users.name ELSE substr(users.name, 1, ${blank} - 1) END)`,
  familyName: sql`coalesce(${sent("familyName")}, CASE ${blank} WHEN 0 THEN users.name ELSE ltrim(substr(users.name, ${blank} + 1)) END)`,
  middleName: sent("middleName"),
  honorificPrefix: sent("honorificPrefix"),
  honorificSuffix: sent("honorificSuffix"),
} as const satisfies Record<string, SQL>;

/** The displayed name of a person without a sent display name. */
export function nameWithoutDisplayName(name: ScimName | undefined, userName: string): string {
  const parts = [name?.givenName, name?.middleName, name?.familyName].filter((part) => part?.trim());
  return (name?.formatted?.trim() || parts.join(" ").trim() || userName).slice(0, 200).toWellFormed().trim();
}
