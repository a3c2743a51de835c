import { eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Role } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/batch.ts";
import { isUniqueViolation } from "../../../db/database-error.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { AppError } from "../../../errors.ts";
import { newId } from "../../../lib/id.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { usedRows } from "../../invitations/accept-invitation.ts";
import { findInvitation, type FoundInvitation } from "../../invitations/usable-invitation.ts";
import { landingHome, type LandingFacts } from "../../organizations/landing.ts";
import { hasAdministrator } from "../../users/has-administrator.ts";
import { newAccountRows } from "../../users/new-account-rows.ts";
import { organizationOf } from "../../users/organization-of.ts";
import { users } from "../../users/tables.ts";
import { signInCount } from "../metrics.ts";
import { closeLive } from "../sessions/end-sessions.ts";
import { newSession, type NewSession } from "../sessions/new-session.ts";
import { sessions } from "../sessions/tables.ts";
import { type Caller, callerDetail } from "../sign-in/caller.ts";
import { isLinkedAccount, linkRows, profileRows, roleRows } from "./account-rows.ts";
import { claimedGroupRows } from "./claimed-groups.ts";
import type { ProviderPerson } from "./claims.ts";
import type { Assertion } from "./exchange-code.ts";
import { type Account, findAccount, roleOf } from "./find-account.ts";
import type { OidcProvider } from "./providers.ts";
import { SsoFailure } from "./sso-failure.ts";

/** Longest ID token that is kept for signing out: it comes back in an address. */
const maxIdTokenLength = 6000;
/** Others may change the same account at the same moment; then it is looked at again. */
const maxTries = 5;
/** Names of a claim that the audit log repeats. */
const maxLogged = 50;

/**
 * Signs in the person that the provider names: account, link, role, groups and session are one batch, in which earlier
 * reads are checked again. Two concurrent sign-ins of the same new person result in one account.
 * @param invitationToken of a link that the person has opened before: it makes a new account, and does nothing to one that is there
 * @throws SsoFailure
 */
export async function signInPerson(
  ctx: Context,
  provider: OidcProvider,
  person: ProviderPerson,
  assertion: Assertion,
  caller: Caller,
  invitationToken?: string,
): Promise<Pick<NewSession, "token" | "expiresAt">> {
  for (let tries = 0; tries < maxTries; tries++) {
    const invitation = await findKept(ctx, invitationToken);
    const account = await findAccount(ctx, provider, person, invitation);
    const userId = account.how === "new" ? newId() : account.userId;
    const session = await providerSession(ctx, provider, assertion, userId, caller.userAgent);
    const done = await runSignIn(ctx, provider, person, account, session, caller, invitation);
    if (done) {
      signInCount.add(ctx.environment, ["sso", "done"]);
      return session;
    }
  }
  throw new SsoFailure("sso_provider_failed", {
    error: "conflict",
    error_description: "the account kept changing at the same time",
  });
}

/** The invitation, if it can be used now. */
async function findKept(ctx: Context, token: string | undefined): Promise<FoundInvitation | undefined> {
  if (token === undefined) return undefined;
  try {
    return await findInvitation(ctx, token);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined;
    throw error;
  }
}

/** The session, with the usual lifetime: that of the provider's tokens does not matter. */
async function providerSession(
  ctx: Context,
  provider: OidcProvider,
  { subject, providerSession, idToken }: Assertion,
  userId: string,
  userAgent: string,
): Promise<NewSession> {
  const session = await newSession(ctx, userId, userAgent);
  const sealedIdToken = idToken.length <= maxIdTokenLength ? await ctx.vault.seal(idToken) : null;
  return {
    ...session,
    row: { ...session.row, provider: provider.id, providerSession, providerSubject: subject, sealedIdToken },
  };
}

/** @returns whether it succeeded; if not, something has changed since the check */
async function runSignIn(
  ctx: Context,
  provider: OidcProvider,
  person: ProviderPerson,
  account: Account,
  session: NewSession,
  caller: Caller,
  invitation: FoundInvitation | undefined,
): Promise<boolean> {
  const { userId } = session.row;
  const { db, settings } = ctx;
  const allowed = isLinkedAccount(provider, person, userId);
  const role = settings.ENABLE_OAUTH_ROLE_MANAGEMENT ? roleOf(ctx, person) : undefined;
  const facts = { email: account.email, attributes: person.claims, groups: person.groups };
  const before: BatchItem<"sqlite">[] =
    account.how === "new"
      ? [
          ...accountRows(ctx, provider, person, account.email, userId, role, invitation),
          ...(invitation ? usedRows(ctx, invitation, userId) : []),
        ]
      : linkRows(ctx, provider, person, account);
  const changes: BatchItem<"sqlite">[] = [
    ...(role === undefined || account.how === "new" ? [] : roleRows(ctx, provider, userId, role, allowed)),
    ...(account.how === "new" ? [] : profileRows(ctx, provider, person, userId, allowed)),
    ...(settings.ENABLE_OAUTH_GROUP_MANAGEMENT && person.groups
      ? claimedGroupRows(ctx, provider, userId, person.groups, allowed)
      : []),
  ];
  const results = await runBatch(db, [
    readBefore(ctx, userId, facts),
    ...before,
    ...changes,
    db
      .update(users)
      .set({ lastActiveAt: ctx.now() })
      .where(sql`${users.id} = ${userId} AND ${allowed}`),
    insertWhere(db, sessions, session.row, allowed),
    auditRowIf(ctx, {
      action: "sso.signed_in",
      targetType: "user",
      targetId: userId,
      organizationId: organizationOf(userId),
      detail: signedInDetail(ctx, provider, person, account, userId, caller),
    }),
    readAfter(ctx, userId, session.row.id),
  ]).catch((error: unknown) => {
    // The address, or the subject, has got an account in the meantime.
    if (isUniqueViolation(error)) return undefined;
    throw error;
  });
  if (!results) return false;
  const [was] = results[0] as Before[];
  const [is] = results.at(-1) as After[];
  if (!is?.started) {
    if (account.how === "new" && !invitation && !was!.home) throw new SsoFailure("sso_organization_inactive");
    return false;
  }
  if (account.how === "new") ctx.registry.wakeNewUserDelivery(ctx);
  await tellLive(ctx, userId, was!, is, account.how === "merged");
  return true;
}

interface Before {
  /** Id of the organization where a new account would land. */
  home: string | null;
  sessions: string;
  standing: string | null;
}

interface After {
  started: 0 | 1;
  sessions: string;
  standing: string | null;
}

/** JSON: ids of the person's sessions. */
const sessionsOf = (userId: string) => sql`(SELECT json_group_array(id) FROM ${sessions} WHERE user_id = ${userId})`;

/** JSON: what decides over what the person may do. */
const standingOf = (userId: string) => sql`(SELECT json_array(role, (SELECT json_group_array(group_id) FROM
  (SELECT group_id FROM group_members WHERE user_id = ${userId} ORDER BY group_id))) FROM ${users} WHERE id = ${userId})`;

function readBefore(ctx: Context, userId: string, facts: LandingFacts) {
  return ctx.db.all<Before>(
    sql`SELECT ${landingHome(facts)} AS home, ${sessionsOf(userId)} AS sessions, ${standingOf(userId)} AS standing`,
  );
}

function readAfter(ctx: Context, userId: string, sessionId: string) {
  const started = sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${eq(sessions.id, sessionId)})`;
  return ctx.db.all<After>(
    sql`SELECT ${started} AS started, ${sessionsOf(userId)} AS sessions, ${standingOf(userId)} AS standing`,
  );
}

/**
 * Ends what has ended in open tabs too, and rechecks permissions of the rest.
 * @param merged sessions and keys of an existing account were deleted
 */
async function tellLive(ctx: Context, userId: string, was: Before, is: After, merged: boolean): Promise<void> {
  const left = new Set(JSON.parse(is.sessions) as string[]);
  const ended = (JSON.parse(was.sessions) as string[]).filter((id) => !left.has(id));
  if (ended.length > 0) await closeLive(ctx, userId, merged ? "session_ended" : "role_changed", ended);
  if (merged || (was.standing !== null && was.standing !== is.standing)) await ctx.live.recheck([userId]);
}

function accountRows(
  ctx: Context,
  provider: OidcProvider,
  person: ProviderPerson,
  email: string,
  userId: string,
  role: Role | undefined,
  invitation: FoundInvitation | undefined,
): BatchItem<"sqlite">[] {
  const given = role ?? invitation?.role ?? ctx.settings.DEFAULT_USER_ROLE;
  return [
    ...newAccountRows(ctx, {
      id: userId,
      name: person.name ?? email,
      email,
      picture: person.picture ?? "",
      // As at sign-up: while there is no administrator, the next person becomes one.
      role: sql`CASE WHEN ${hasAdministrator} THEN ${given} ELSE 'admin' END`,
      action: "user.signed_up_by_sso",
      home: invitation?.organizationId ?? undefined,
      landing: { attributes: person.claims, groups: person.groups },
      identity: { oauth: { [provider.id]: { sub: person.sub } } },
      condition: invitation?.isUsable ?? sql`1`,
    }),
  ];
}

/** The claims and their results, to explain why a person has a role or lacks a group. */
function signedInDetail(
  ctx: Context,
  provider: OidcProvider,
  person: ProviderPerson,
  account: Account,
  userId: string,
  caller: Caller,
): SQL {
  const { ENABLE_OAUTH_ROLE_MANAGEMENT: managesRoles, ENABLE_OAUTH_GROUP_MANAGEMENT: managesGroups } = ctx.settings;
  const read = {
    provider: provider.id,
    how: account.how,
    subject: person.sub,
    ...callerDetail(caller),
    ...(managesRoles ? { roles_claim: person.roles.slice(0, maxLogged) } : {}),
    ...(managesGroups ? { groups_claim: person.groups?.slice(0, maxLogged) ?? "not sent: too many" } : {}),
  };
  return sql`json_set(${JSON.stringify(read)}, '$.role', (SELECT role FROM ${users} WHERE id = ${userId}))`;
}
