/** What takes something away that a running older version may use, as it is written in migrations. */
const contractions: readonly [pattern: RegExp, what: string][] = [
  [/\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?[`"]?(\w+)/gi, "drops the table"],
  [/\bDROP\s+COLUMN\s+[`"]?(\w+)/gi, "drops the column"],
  [/\bRENAME\s+TO\s+[`"]?(\w+)/gi, "renames a table to"],
  [/\bRENAME\s+(?:COLUMN\s+)?[`"]?(\w+)[`"]?\s+TO\b/gi, "renames the column"],
  // An older version writes rows without it.
  [
    /\bADD\s+(?:COLUMN\s+)?[`"]?(\w+)[`"]?(?![^;,]*\bDEFAULT\b)[^;,]*\bNOT\s+NULL\b/gi,
    "adds a column that needs a value:",
  ],
];

/**
 * What a migration contracts. On the edge instances of the version before go on while the new schema is there, and a restored
 * backup may be of either: so a version first adds, the next one moves, and only a later one takes away.
 */
export function findContractions(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, "");
  const drops = contractions.flatMap(([pattern, what]) =>
    [...code.matchAll(pattern)].map(([, name]) => `${what} ${name}`),
  );
  // A rebuilt table is dropped and gets its name back; a search index is made again under its name.
  const rebuilt = new Set(
    [...code.matchAll(/(?:RENAME\s+TO|CREATE\s+VIRTUAL\s+TABLE)\s+[`"]?(\w+)/gi)].map(([, name]) => name),
  );
  return drops.filter((found) => !found.startsWith("drops the table") || !rebuilt.has(found.split(" ").at(-1)));
}
