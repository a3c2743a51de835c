import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { maxFactorTries, type TakenFactor, tooManyTries } from "../second-factor/take-code.ts";
import { releasePasswordChecks, reservePasswordCheck } from "../sign-in/slow-down.ts";
import { checkShown } from "./check-response.ts";
import { requirePasskeys } from "./relying-party.ts";
import type { ShownPasskey } from "./schema.ts";
import { notePasskeyUse } from "./stored-passkeys.ts";
import { passkeys } from "./tables.ts";

export function wrongPasskey(): AppError {
  return new AppError(
    "invalid_credentials",
    "This passkey does not work here. It may have been removed, or it took too long: try again, or sign in in another way",
    { param: "credential" },
  );
}

/**
 * Checks a passkey of the person in the second step of a sign-in. Tries are limited together with those of codes.
 * @param tokenHash of the step, for which the challenge was made
 * @throws AppError `invalid_credentials` for a wrong one, `too_many_requests`, `forbidden` where passkeys are off
 */
export async function takePasskey(
  ctx: Context,
  userId: string,
  shown: ShownPasskey,
  tokenHash: string,
): Promise<TakenFactor> {
  requirePasskeys(ctx);
  const bucket = `factor:${userId}`;
  const [taken, [found]] = await ctx.db.batch([
    reservePasswordCheck(ctx, bucket, maxFactorTries),
    ctx.db
      .select({ id: passkeys.id, publicKey: passkeys.publicKey })
      .from(passkeys)
      .where(and(eq(passkeys.credentialId, shown.id), eq(passkeys.userId, userId))),
  ]);
  if (taken.length === 0) throw tooManyTries();
  if (!found) throw wrongPasskey();
  const person = { userId, publicKey: found.publicKey, isOnlyFactor: false };
  const checked = await checkShown(ctx, { for: "step", tokenHash }, shown, person);
  if (!checked) throw wrongPasskey();
  return {
    kind: "passkey",
    use: notePasskeyUse(ctx, found.id, checked, sql`TRUE`),
    release: releasePasswordChecks(ctx, [bucket]),
  };
}
