import { eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { recoveryCodes } from "./tables.ts";

/** New recovery codes in place of the old ones: for the batch of what they belong to. */
export async function newCodeStatements(ctx: Context, userId: string, condition: SQL) {
  const codes = newRecoveryCodes();
  const hashes = await Promise.all(codes.map(hashRecoveryCode));
  return {
    codes,
    statements: [
      ctx.db.delete(recoveryCodes).where(sql`${eq(recoveryCodes.userId, userId)} AND ${condition}`),
      ...hashes.map((codeHash) => insertWhere(ctx.db, recoveryCodes, { userId, codeHash }, condition)),
    ],
  };
}
