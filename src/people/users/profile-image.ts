import { and, eq } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { readableAddress } from "../../pictures/fetch-outside-picture.ts";
import { readDataUrl } from "./parse-profile-image.ts";
import { profileImages, users } from "./tables.ts";
import { visibleTo } from "./visible-users.ts";

/** The statement that stores a parsed picture; "" removes it. */
export function setProfileImage(ctx: Context, userId: string, picture: string) {
  if (picture === "") return ctx.db.delete(profileImages).where(eq(profileImages.userId, userId));
  return ctx.db
    .insert(profileImages)
    .values({ userId, url: picture, updatedAt: ctx.now() })
    .onConflictDoUpdate({ target: profileImages.userId, set: { url: picture, updatedAt: ctx.now() } });
}

/** A person's picture: where this service hands it on, its bytes, or initials. */
export type ProfileImage = { location: string } | { type: string; bytes: Uint8Array<ArrayBuffer> };

/** @throws AppError `not_found` for an unknown person or one of another organization. */
export async function getProfileImage(ctx: Context, userId: string): Promise<ProfileImage> {
  const user = requireUser(ctx);
  const [row] = await ctx.db
    .select({ name: users.name, url: profileImages.url })
    .from(users)
    .leftJoin(profileImages, eq(profileImages.userId, users.id))
    .where(and(eq(users.id, userId), visibleTo(user)));
  if (!row) throw new AppError("not_found", "No such person");
  return pictureOrInitials(ctx, userId, row);
}

/** @param id decides the color of initials */
export function pictureOrInitials(
  ctx: Context,
  id: string,
  { name, url }: { name: string; url: string | null },
): ProfileImage {
  const picture = url === null ? undefined : readDataUrl(url);
  if (picture) return picture;
  const location = url === null ? undefined : readableAddress(ctx, url);
  return location === undefined ? { type: "image/svg+xml", bytes: drawInitials(id, name) } : { location };
}

/** One or two letters on the person's color; always the same. */
export function drawInitials(userId: string, name: string): Uint8Array<ArrayBuffer> {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
  let hue = 0;
  for (const character of userId) hue = (hue * 31 + character.codePointAt(0)!) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><rect width="64" height="64" fill="hsl(${hue} 32% 34%)"/><text x="32" y="33" fill="#fff" font-family="Inter,system-ui,sans-serif" font-size="26" font-weight="600" text-anchor="middle" dominant-baseline="central">${letters}</text></svg>`;
  return new Uint8Array(new TextEncoder().encode(svg));
}
