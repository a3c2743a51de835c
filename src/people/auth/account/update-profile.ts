import { eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { requireUser } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { parseProfileImage, profileImagePath } from "../../users/parse-profile-image.ts";
import { setProfileImage } from "../../users/profile-image.ts";
import { users } from "../../users/tables.ts";
import type { Profile, ProfileChange } from "./schema.ts";

/** Changes what the body names of the caller's own profile. @throws AppError `validation_failed` for a picture that is none. */
export async function updateProfile(ctx: Context, change: ProfileChange): Promise<Profile> {
  const user = requireUser(ctx);
  const picture =
    change.profile_image_url === undefined ? undefined : parseProfileImage(change.profile_image_url, user.id);
  const values = {
    updatedAt: ctx.now(),
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.bio === undefined ? {} : { bio: change.bio || null }),
    ...(change.gender === undefined ? {} : { gender: change.gender || null }),
    ...(change.date_of_birth === undefined ? {} : { dateOfBirth: change.date_of_birth || null }),
  };
  const changed = Object.keys(change).filter((name) => change[name as keyof ProfileChange] !== undefined);
  const audited = changed.length > 0 ? sql`changes() > 0` : sql`0`;
  const more: BatchItem<"sqlite">[] = picture === undefined ? [] : [setProfileImage(ctx, user.id, picture)];
  const [[row]] = await ctx.db.batch([
    ctx.db.update(users).set(values).where(eq(users.id, user.id)).returning({
      id: users.id,
      name: users.name,
      email: users.email,
      role: users.role,
      bio: users.bio,
      gender: users.gender,
      dateOfBirth: users.dateOfBirth,
    }),
    auditRowIf(
      ctx,
      { action: "user.profile_updated", targetType: "user", targetId: user.id, detail: { changed } },
      audited,
    ),
    ...more,
  ]);
  if (!row) throw new AppError("session_ended", "The account was deleted");
  const { dateOfBirth, ...rest } = row;
  return { ...rest, date_of_birth: dateOfBirth, profile_image_url: profileImagePath(user.id) };
}

/** Notes where the person is, for times in their words. @param timezone an IANA name */
export async function updateTimezone(ctx: Context, timezone: string): Promise<void> {
  const user = requireUser(ctx);
  await ctx.db.update(users).set({ timezone }).where(eq(users.id, user.id));
}
