import { eq } from "drizzle-orm";
import { requireManager, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isUniqueViolation } from "../../db/database-error.ts";
import { AppError } from "../../errors.ts";
import { hashPassword, requireAcceptablePassword } from "../auth/passwords/hash-password.ts";
import { closeLive } from "../auth/sessions/end-sessions.ts";
import { emailTaken } from "../auth/sign-in/sign-up.ts";
import { requireEmail } from "../email.ts";
import { changeRules, readState, requireAllowed, type ChangeState } from "./may-change-user.ts";
import { parseProfileImage } from "./parse-profile-image.ts";
import type { ListedUser, UserChange } from "./schema.ts";
import { users } from "./tables.ts";
import { auditRows, endedSessions, type ParsedChange, updateStatements } from "./user-change-rows.ts";
import { factorColumn, groupIdsOf, storageColumns, toListedUser, userColumns } from "./user-columns.ts";

/**
 * Updates a person's account (or the administrator's own): the given fields, in one batch with audit rows. A lower
 * role, a new password and switching off end the person's sessions; a higher role does not, so that people who wait can
 * continue immediately.  System administrators can change everything. An organization's administrators can change, for
 * its people, the name, the picture, whether the account is on, the role between `user` and `pending`, and who else
 * administers the organization.
 * @throws AppError `invalid_email`, `invalid_password`, `email_taken` (400); `forbidden` for the first administrator's
 *   account, for the last active administrator's, and for what an organization's administrator may not change (403);
 *   `not_found`.
 */
export async function updateUser(ctx: Context, userId: string, input: UserChange): Promise<ListedUser> {
  const actor = requireManager(ctx);
  requireOwnRights(actor, input);
  const change = await parseChange(ctx, input, userId);
  const { role, active, email, organizationRole } = change;
  const losesAdmin = (role !== undefined && role !== "admin") || active === false;
  const { state, allowed } = changeRules(actor, userId, {
    losesAdmin,
    email,
    isForPeople: change.passwordHash !== undefined,
    isForServices: change.freeProbes !== undefined,
  });
  const results = await ctx.db
    .batch([
      readState(ctx, state),
      endedSessions(ctx, actor, userId, change, allowed),
      ...auditRows(ctx, userId, change, allowed),
      ...updateStatements(ctx, userId, change, allowed),
      personNow(ctx, userId),
    ])
    .catch((error: unknown) => {
      throw isUniqueViolation(error, "users.email") ? emailTaken() : error;
    });
  requireAllowed(results[0] as ChangeState[]);
  const ended = results[1] as { id: string }[];
  const reason = active === false ? "account_inactive" : role !== undefined ? "role_changed" : "password_changed";
  if (ended.length > 0 || active === false) {
    await closeLive(
      ctx,
      userId,
      reason,
      reason === "password_changed" ? ended.map((session) => session.id) : undefined,
    );
  }
  if (role !== undefined || active !== undefined || organizationRole !== undefined) await ctx.live.recheck([userId]);
  const [row] = results.at(-1) as Awaited<ReturnType<typeof personNow>>;
  return toListedUser(ctx, row!);
}

/** What nobody but a system administrator gives: their own role, and a way into somebody else's account. */
function requireOwnRights(actor: User, input: UserChange): void {
  if (actor.role === "admin") return;
  if (input.role === "admin")
    throw new AppError("forbidden", "Only a system administrator can make someone a system administrator", {
      param: "role",
    });
  if (input.free_probes !== undefined)
    throw new AppError("forbidden", "Only a system administrator can say which calls count in no quota", {
      param: "free_probes",
    });
  if (input.password)
    throw new AppError("forbidden", "Only a system administrator can set another person's password", {
      param: "password",
    });
}

function personNow(ctx: Context, userId: string) {
  return ctx.db
    .select({ ...userColumns, ...storageColumns, ...factorColumn(ctx), groupIds: groupIdsOf })
    .from(users)
    .where(eq(users.id, userId));
}

async function parseChange(ctx: Context, input: UserChange, userId: string): Promise<ParsedChange> {
  if (input.password) requireAcceptablePassword(input.password);
  return {
    role: input.role,
    active: input.active ?? input.is_active,
    organizationRole: input.organization_role,
    name: input.name,
    email: input.email === undefined ? undefined : requireEmail(input.email),
    picture: input.profile_image_url === undefined ? undefined : parseProfileImage(input.profile_image_url, userId),
    passwordHash: input.password
      ? await hashPassword(ctx, input.password, { lane: "known", share: requireManager(ctx).id })
      : undefined,
    freeProbes: input.free_probes,
  };
}
