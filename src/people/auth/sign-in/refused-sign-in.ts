import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { signInCount } from "../metrics.ts";
import type { SignInClient } from "./known-network.ts";
import { noteWrongSignIn, type SignInWay } from "./note-sign-in.ts";
import { releasePasswordChecks } from "./slow-down.ts";

/** How somebody tried, and who they are; `userId` is undefined where nobody is meant. */
interface Attempt {
  method: SignInWay["method"];
  userId: string | undefined;
  client: SignInClient;
}

/** Counts and notes a sign-in that was refused. */
export async function noteRefusal(ctx: Context, error: string, { client, ...attempt }: Attempt): Promise<void> {
  signInCount.add(ctx.environment, [attempt.method, "failed"]);
  await noteWrongSignIn(ctx, { error, ...attempt }, client);
}

/**
 * For those who have shown that they are the person: their checks are given back, whatever follows.
 * @throws AppError `account_inactive` (401), `organization_inactive` (403)
 */
export async function requireActive(
  ctx: Context,
  person: { active: boolean; organizationActive: boolean },
  buckets: Parameters<typeof releasePasswordChecks>[1],
  attempt: Attempt,
): Promise<void> {
  if (person.active && person.organizationActive) return;
  await releasePasswordChecks(ctx, buckets);
  await noteRefusal(ctx, person.active ? "organization_inactive" : "account_inactive", attempt);
  if (!person.active)
    throw new AppError("account_inactive", "The account is switched off. Ask an administrator to switch it on again");
  throw new AppError("organization_inactive", "The organization is switched off");
}
