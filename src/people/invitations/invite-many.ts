import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { normalizeEmail } from "../email.ts";
import { createInvitation } from "./manage-invitations.ts";
import type { ManyInvitations, NewInvitations } from "./schema.ts";

/**
 * One invitation for each address, all with the same role, organization, groups and end. Addresses that can get none are
 * named, and the others get theirs.
 * @throws AppError as `createInvitation`, for what holds for all of them, as long as none was made
 */
export async function inviteMany(ctx: Context, { emails, ...rest }: NewInvitations): Promise<ManyInvitations> {
  const addresses = new Map(emails.map((email) => [normalizeEmail(email) ?? email.trim(), email]));
  const answer: ManyInvitations = { made: [], refused: [] };
  for (const email of addresses.values()) {
    try {
      answer.made.push(await createInvitation(ctx, { ...rest, email }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Links are told only once: whatever comes after the first one must not take them along.
      const isOfAddress = error.code === "invalid_email" || error.code === "email_taken";
      if (!isOfAddress && answer.made.length === 0) throw error;
      answer.refused.push({ email, code: error.code, message: error.message });
    }
  }
  return answer;
}
