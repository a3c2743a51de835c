import type { BatchItem } from "drizzle-orm/batch";
import { AppError } from "../errors.ts";
import type { Database } from "./client.ts";
import { isForeignKeyViolation } from "./database-error.ts";

/**
 * Runs a variable number of statements in one transaction.
 * @throws AppError `conflict` if a referenced row was deleted meanwhile.
 */
export async function runBatch(db: Database, statements: readonly BatchItem<"sqlite">[]): Promise<unknown[]> {
  const [first, ...rest] = statements;
  if (!first) return [];
  try {
    return await db.batch([first, ...rest]);
  } catch (error) {
    if (isForeignKeyViolation(error))
      throw new AppError("conflict", "Someone else changed this in the meantime: reload and try again");
    throw error;
  }
}
