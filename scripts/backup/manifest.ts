import * as z from "zod";

/** Raised when versions before could not read the file any more. */
export const archiveFormat = 1;
export const manifestName = "manifest.json";
/** Members beside the objects. */
export const databaseName = "database.sqlite";
export const secretsName = "secrets.json";

export const member = z.object({
  name: z.string(),
  size: z.number().int().min(0),
  /** Hexadecimal. */
  sha256: z.string(),
});
export type Member = z.infer<typeof member>;

/** The last member of a backup: what is in it, and of when and what it is. */
export const manifest = z.object({
  format: z.number().int(),
  version: z.string(),
  commit: z.string().nullable(),
  /** Names of the migrations that the database has had, in order. */
  migrations: z.array(z.string()),
  /** When the database was copied, ISO 8601: what was stored before is in it. */
  moment: z.string(),
  /** Keys that the database names and object storage did not have. */
  missingObjects: z.number().int(),
  members: z.array(member),
});
export type Manifest = z.infer<typeof manifest>;
