import type { BatchItem } from "drizzle-orm/batch";
import { AppError } from "../errors.ts";
import type { Database } from "./client.ts";
import { isForeignKeyViolation } from "./database-error.ts";

/**
 * Runs statements of which there are as many as the input needs, in one transaction.
 * @throws AppError `conflict` when what a row refers to has gone meanwhile.
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
