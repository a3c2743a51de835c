import { type SQL, sql } from "drizzle-orm";
import type { Role } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import type { FoundInvitation } from "../../invitations/usable-invitation.ts";
import { organizations } from "../../organizations/tables.ts";
import { identities, users } from "../../users/tables.ts";
import type { ProviderPerson } from "./claims.ts";
import type { OidcProvider } from "./providers.ts";
import { SsoFailure } from "./sso-failure.ts";

/** The account that a sign-in leads to, and why. */
export type Account =
  | { how: "known" | "provisioned" | "merged"; userId: string; email: string }
  | { how: "new"; email: string };

interface Found {
  how: "known" | "provisioned" | "merged";
  id: string;
  email: string;
  kind: "person" | "service";
  active: 0 | 1;
  organization_active: 0 | 1;
  /** The account's current subject at this provider. */
  sub: string | null;
}

/**
 * The account for a provider's person: the one that has signed in with this subject before; otherwise the one that SCIM
 * created with it as externalId; otherwise, only if configured, the one with the same verified address; otherwise a new
 * one, if allowed or invited. An address alone never leads to an account. The result is checked again in the batch that signs in.
 * @throws SsoFailure
 */
export async function findAccount(
  ctx: Context,
  provider: OidcProvider,
  person: ProviderPerson,
  invitation?: Pick<FoundInvitation, "email">,
): Promise<Account> {
  const [found] = await ctx.db
    .all<Found>(sql`SELECT f.how, u.id, u.email, u.kind, u.active, o.active AS organization_active,
      u.oauth ->> ${subPath(provider)} AS sub
    FROM (${bySubject(provider, person)} UNION ALL ${byExternalId(ctx, provider, person)} UNION ALL ${byEmail(person)}) f
    JOIN ${users} u ON u.id = f.id JOIN ${organizations} o ON o.id = u.organization_id ORDER BY f.position LIMIT 1`);
  requireDomain(ctx, person, found?.how === "merged" ? undefined : found?.email);
  const account = found ? existing(ctx, person, found) : newOne(ctx, person, invitation);
  if (ctx.settings.ENABLE_OAUTH_ROLE_MANAGEMENT && roleOf(ctx, person) === undefined)
    throw new SsoFailure("sso_role_not_allowed", { error_description: "none of the roles in the claim may sign in" });
  return account;
}

/** The role from the roles claim; undefined if none of the roles may sign in. */
export function roleOf(ctx: Context, { roles }: ProviderPerson): Role | undefined {
  const { OAUTH_ADMIN_ROLES: admins, OAUTH_ALLOWED_ROLES: allowed } = ctx.settings;
  if (roles.some((role) => admins.includes(role))) return "admin";
  return roles.some((role) => allowed.includes(role)) ? "user" : undefined;
}

/** The path of the subject in `users.oauth`; ids of providers are plain words. */
export function subPath(provider: OidcProvider): string {
  return `$.${provider.id}.sub`;
}

function bySubject(provider: OidcProvider, { sub }: ProviderPerson): SQL {
  return sql`SELECT 1 AS position, 'known' AS how, user_id AS id FROM ${identities}
    WHERE source = 'oauth' AND provider = ${provider.id} AND external_id = ${sub}`;
}

function byExternalId(ctx: Context, provider: OidcProvider, { sub }: ProviderPerson): SQL {
  const trusted = ctx.settings.SCIM_ENABLED && ctx.settings.SCIM_AUTH_PROVIDER === provider.id ? 1 : 0;
  return sql`SELECT 2, 'provisioned', user_id FROM ${identities}
    WHERE ${trusted} AND source = 'scim' AND provider = ${provider.id} AND external_id = ${sub}`;
}

function byEmail({ email }: ProviderPerson): SQL {
  return sql`SELECT 3, 'merged', id FROM ${users} WHERE email = ${email ?? null}`;
}

/** @param fallback the account's own address, for providers without one */
function requireDomain(ctx: Context, { email }: ProviderPerson, fallback: string | undefined): void {
  const domains = new Set(ctx.settings.OAUTH_ALLOWED_DOMAINS.map((domain) => domain.toLowerCase().replace(/^@/, "")));
  if (domains.has("*")) return;
  const address = email ?? fallback;
  if (address === undefined) throw new SsoFailure("sso_email_missing");
  if (!domains.has(address.slice(address.lastIndexOf("@") + 1))) throw new SsoFailure("sso_domain_not_allowed");
}

function existing(ctx: Context, person: ProviderPerson, found: Found): Account {
  if (found.kind === "service")
    throw new SsoFailure("sso_email_taken", { error_description: "the account is a service account" });
  if (found.how === "merged") requireMerge(ctx, person, found);
  if (!found.active) throw new SsoFailure("sso_account_inactive");
  if (!found.organization_active) throw new SsoFailure("sso_organization_inactive");
  return { how: found.how, userId: found.id, email: found.email };
}

function requireMerge(ctx: Context, { emailVerified }: ProviderPerson, { sub }: Found): void {
  // Anyone who can write any address into their own account at the provider learns nothing about accounts here.
  if (emailVerified === false) throw new SsoFailure("sso_email_unverified");
  if (!ctx.settings.OAUTH_MERGE_ACCOUNTS_BY_EMAIL)
    throw new SsoFailure("sso_email_taken", { error_description: "OAUTH_MERGE_ACCOUNTS_BY_EMAIL is off" });
  if (emailVerified !== true)
    throw new SsoFailure("sso_email_unverified", {
      error_description: "the provider does not confirm the address (email_verified is not true)",
    });
  // An address that was given to somebody else meanwhile.
  if (sub !== null)
    throw new SsoFailure("sso_email_taken", {
      error_description: "the account belongs to another subject of this provider",
    });
}

function newOne(
  ctx: Context,
  { email, emailVerified }: ProviderPerson,
  invitation: Pick<FoundInvitation, "email"> | undefined,
): Account {
  // An invitation for somebody else is none.
  const isInvited = invitation !== undefined && (invitation.email === null || invitation.email === email);
  if (invitation && !isInvited) throw new SsoFailure("sso_other_invitation");
  if (!ctx.settings.ENABLE_OAUTH_SIGNUP && !isInvited)
    throw new SsoFailure("sso_no_account", { error_description: "ENABLE_OAUTH_SIGNUP is off" });
  if (email === undefined)
    throw new SsoFailure("sso_email_missing", {
      error_description: `the claim ${ctx.settings.OAUTH_EMAIL_CLAIM} (OAUTH_EMAIL_CLAIM) has no e-mail address`,
    });
  if (emailVerified === false) throw new SsoFailure("sso_email_unverified");
  return { how: "new", email };
}
