import { sql } from "drizzle-orm";
import { requireManager } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { isUniqueViolation } from "../../../db/database-error.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { AppError } from "../../../errors.ts";
import { newId } from "../../../lib/id.ts";
import { requireEmail } from "../../email.ts";
import { stillManages } from "../../still-manages.ts";
import { newAccountRows } from "../../users/new-account-rows.ts";
import { parseProfileImage, profileImagePath } from "../../users/parse-profile-image.ts";
import { users } from "../../users/tables.ts";
import { hashPassword, requireAcceptablePassword } from "../passwords/hash-password.ts";
import { newSession } from "../sessions/new-session.ts";
import { sessions } from "../sessions/tables.ts";
import { emailTaken, noOrganization } from "../sign-in/sign-up.ts";
import type { AddedAccount, AddedAccountResponse } from "./schema.ts";

/**
 * An administrator creates an account for another person: in the organization of the landing rules, or, as an
 * organization's administrator, in their own organization and never as system administrator. The answer contains a
 * token of the new account, as Open WebUI's clients expect; the new person sees its session in their list and can end
 * it.
 * @throws AppError `invalid_email`, `invalid_password`, `email_taken` (400); `forbidden`, `organization_inactive`
 *   (403).
 */
export async function addAccount(ctx: Context, input: AddedAccount, userAgent: string): Promise<AddedAccountResponse> {
  const actor = requireManager(ctx);
  if (actor.role !== "admin" && input.role === "admin")
    throw new AppError("forbidden", "Only a system administrator can create a system administrator", {
      param: "role",
    });
  const email = requireEmail(input.email);
  requireAcceptablePassword(input.password);
  const id = newId();
  const picture = parseProfileImage(input.profile_image_url, id) ?? "";
  const passwordHash = await hashPassword(ctx, input.password, { lane: "known", share: actor.id });
  const session = await newSession(ctx, id, userAgent);
  const may = stillManages(actor);
  const rows = newAccountRows(ctx, {
    id,
    name: input.name,
    email,
    passwordHash,
    picture,
    role: input.role,
    action: "user.created",
    home: actor.role === "admin" ? undefined : actor.organizationId,
    condition: may,
  });
  const made = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${id})`;
  const state = ctx.db.all<{ may: number; made: number }>(sql`SELECT ${may} AS may, ${made} AS made`);
  const results = await ctx.db
    .batch([...rows, insertWhere(ctx.db, sessions, session.row, made), state])
    .catch((error: unknown) => {
      throw isUniqueViolation(error, "users.email") ? emailTaken() : error;
    });
  const [after] = results.at(-1) as Awaited<typeof state>;
  if (!after!.may) throw new AppError("forbidden", "Only an administrator can do this");
  if (!after!.made) throw noOrganization();
  ctx.registry.wakeNewUserDelivery(ctx);
  return {
    token: session.token,
    token_type: "Bearer",
    id,
    name: input.name,
    email,
    role: input.role,
    profile_image_url: profileImagePath(id),
  };
}
