import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { isUniqueViolation } from "../../../db/database-error.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { AppError } from "../../../errors.ts";
import { isLoopback } from "../../../http/client-network.ts";
import { newId } from "../../../lib/id.ts";
import { requireEmail } from "../../email.ts";
import { landingHome } from "../../organizations/landing.ts";
import { hasAdministrator } from "../../users/has-administrator.ts";
import { newAccountRows } from "../../users/new-account-rows.ts";
import { parseProfileImage } from "../../users/parse-profile-image.ts";
import { users } from "../../users/tables.ts";
import { hashPassword, requireAcceptablePassword } from "../passwords/hash-password.ts";
import { newSession } from "../sessions/new-session.ts";
import { sessions } from "../sessions/tables.ts";
import { originOf, placeOf, rememberNetwork, type SignInClient } from "./known-network.ts";
import { requirePasswordAuth } from "./require-password-auth.ts";
import type { NewAccount } from "./schema.ts";
import { takeSignUp } from "./sign-up-allowance.ts";
import { signedIn, startedSession, type SignedIn } from "./signed-in.ts";

/**
 * Creates an account and signs in. The very first person becomes administrator, regardless of the settings; later ones
 * get `DEFAULT_USER_ROLE`. Account and session are one batch, which also decides who is first.
 * @throws AppError `invalid_email`, `invalid_password`, `email_taken` (400); `signup_disabled`,
 *   `password_auth_disabled`, `organization_inactive` (403); `too_many_requests`, also while too many wait (429);
 *   `passwords_unavailable` (503).
 */
export async function signUp(ctx: Context, input: NewAccount, client: SignInClient): Promise<SignedIn> {
  requirePasswordAuth(ctx);
  const email = requireEmail(input.email);
  requireAcceptablePassword(input.password);
  const id = newId();
  // Strangers store nothing that is large.
  const waits = ctx.settings.DEFAULT_USER_ROLE === "pending";
  const picture = parseProfileImage(input.profile_image_url, id) ?? "";
  const origin = await originOf(ctx, email, client);
  // People behind a proxy that is not trusted to say who they are all come from here.
  const from = client.address === undefined || isLoopback(client.address) ? "" : origin.network;
  const giveBack = takeSignUp(ctx, from);
  const network = from === "" ? undefined : await ctx.vault.fingerprint(`waits ${from}`);
  // A look before the expensive part. It decides nothing: the batch asks again.
  await requireOpenDoor(ctx, email, network);

  const passwordHash = await hashPassword(ctx, input.password, placeOf(origin, false)).catch((error: unknown) => {
    giveBack();
    throw error;
  });
  const session = await newSession(ctx, id, client.userAgent);
  const role = sql`CASE WHEN ${hasAdministrator} THEN ${ctx.settings.DEFAULT_USER_ROLE} ELSE 'admin' END`;
  const condition = ctx.settings.ENABLE_SIGNUP
    ? sql`NOT (${isFull(ctx)} OR ${isShareFull(ctx, network)})`
    : sql`NOT ${hasAdministrator}`;
  const rows = newAccountRows(ctx, {
    id,
    name: input.name,
    email,
    passwordHash,
    picture: waits ? "" : picture,
    role,
    network,
    action: "user.signed_up",
    condition,
  });
  const exists = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${id})`;
  const results = await ctx.db
    .batch([
      ...rows,
      insertWhere(ctx.db, sessions, session.row, exists),
      ...rememberNetwork(ctx, origin, session.row),
      startedSession(ctx, session),
    ])
    .catch((error: unknown) => {
      throw isUniqueViolation(error, "users.email") ? emailTaken() : error;
    });
  const made = results.at(-1) as Awaited<ReturnType<typeof startedSession>>;
  if (made.length > 0) {
    ctx.registry.wakeNewUserDelivery(ctx);
    return signedIn(ctx, made, session);
  }
  await requireOpenDoor(ctx, email, network);
  throw new AppError("conflict", "The account could not be created because of a change at the same time: try again");
}

export function emailTaken(): AppError {
  return new AppError("email_taken", "An account with this e-mail address already exists", { param: "email" });
}

/** The error for an account without an organization: it is not created. */
export function noOrganization(): AppError {
  return new AppError(
    "organization_inactive",
    "No landing rule assigns this account to an active organization, and the default organization is switched off",
  );
}

async function requireOpenDoor(ctx: Context, email: string, network: string | undefined): Promise<void> {
  const [door] = await ctx.db.all<{
    has_administrator: number;
    taken: number;
    is_full: number;
    is_share_full: number;
    home: number;
  }>(sql`SELECT
    ${hasAdministrator} AS has_administrator,
    EXISTS (SELECT 1 FROM ${users} WHERE email = ${email}) AS taken,
    ${isFull(ctx)} AS is_full,
    ${isShareFull(ctx, network)} AS is_share_full,
    ${landingHome({ email })} IS NOT NULL AS home`);
  if (door!.has_administrator && !ctx.settings.ENABLE_SIGNUP)
    throw new AppError("signup_disabled", "Sign-up is switched off. Ask an administrator for an account");
  if (door!.taken) throw emailTaken();
  if (!door!.home) throw noOrganization();
  if (door!.is_full) {
    const message = "Too many new accounts are waiting to be activated. Try again later, or ask an administrator";
    throw new AppError("too_many_requests", message, { retryAfter: 3600 });
  }
  if (door!.is_share_full) {
    const message =
      "Too many new accounts from your network are waiting to be activated. Try again later, or ask an administrator";
    throw new AppError("too_many_requests", message, { retryAfter: 3600 });
  }
}

/** Whether nobody else can sign up because too many wait. Nobody waits before there is an administrator. */
function isFull({ settings }: Context): SQL {
  if (settings.DEFAULT_USER_ROLE !== "pending") return sql`0`;
  return sql`(SELECT count(*) FROM ${users} WHERE waiting_since IS NOT NULL) >= ${settings.MAX_WAITING_ACCOUNTS}`;
}

/** What one network gets of the places at least, where there are so many: a class may sign up at once. */
const minShare = 60;

/** Whether nobody else can sign up from this network because too many from there wait. */
function isShareFull({ settings }: Context, network: string | undefined): SQL {
  if (settings.DEFAULT_USER_ROLE !== "pending" || network === undefined) return sql`0`;
  const { MAX_WAITING_ACCOUNTS: max } = settings;
  const share = Math.max(Math.ceil(max / 4), Math.min(max, minShare));
  return sql`(SELECT count(*) FROM ${users} WHERE waiting_network = ${network}) >= ${share}`;
}
