import * as z from "zod";
import { time } from "../../schema.ts";

/** The codes in `/sign-in?error=` after a failed single sign-on. */
export const ssoErrorCode = z.enum([
  "sso_denied",
  "sso_expired",
  "sso_no_account",
  "sso_email_taken",
  "sso_email_missing",
  "sso_email_unverified",
  "sso_domain_not_allowed",
  "sso_account_inactive",
  "sso_organization_inactive",
  "sso_role_not_allowed",
  "sso_other_invitation",
  "sso_provider_failed",
]);
export type SsoErrorCode = z.infer<typeof ssoErrorCode>;

export const providerParam = z.object({ provider: z.string().min(1).max(100) });

/** Where to continue after signing in; anything except one of our own paths is treated as `/`. */
export const startQuery = z.object({ next: z.string().max(10_000).optional() });

/** The body of a back-channel logout (OpenID Connect Back-Channel Logout 1.0, section 2.5). */
export const logoutForm = z.object({ logout_token: z.string() });

/** Section 2.8 there. */
export const logoutError = z.object({ error: z.string(), error_description: z.string() });

export const ssoStatus = z.object({
  providers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      discovery_url: z.string(),
      client_id: z.string(),
      /** The callback address to register with the provider. */
      callback_url: z.string(),
      backchannel_logout_url: z.string().nullable(),
      /** Whether its discovery document and keys can be read now. */
      reachable: z.boolean(),
      /** Why not. */
      problem: z.string().nullable(),
      issuer: z.string().nullable(),
      /** Whether signing out continues there. */
      signs_out: z.boolean(),
    }),
  ),
  password_auth: z.boolean(),
  login_form: z.boolean(),
  warnings: z.array(z.string()),
  last_signed_in_at: time.nullable(),
  last_failed_at: time.nullable(),
});
export type SsoStatus = z.infer<typeof ssoStatus>;
