import type { Context } from "../../../context.ts";
import { isRecord } from "../../../lib/json.ts";
import { normalizeEmail } from "../../email.ts";
import { parseProfileImage } from "../../users/parse-profile-image.ts";
import type { Assertion } from "./exchange-code.ts";
import type { OidcProvider } from "./providers.ts";
import { SsoFailure } from "./sso-failure.ts";

/** Groups and roles beyond these are not looked at. */
const maxNames = 500;
const maxNameLength = 200;

/** What a provider's claims come to under the settings of this moment. */
export interface ProviderPerson {
  /** What names the person at the provider for good. */
  sub: string;
  /** Normalized; undefined where there is none. */
  email: string | undefined;
  /** Undefined where the provider says nothing about it. */
  emailVerified: boolean | undefined;
  /** One printable line. */
  name: string | undefined;
  /** An http(s) address. */
  picture: string | undefined;
  roles: string[];
  /** Undefined where the provider says that they stand elsewhere: then nothing is known. Else what the claim says; absent is none. */
  groups: string[] | undefined;
  claims: Record<string, unknown>;
}

/** @throws SsoFailure `sso_provider_failed` without a usable identity. */
export function readPerson(ctx: Context, provider: OidcProvider, { claims }: Assertion): ProviderPerson {
  const { settings } = ctx;
  // As it stands: two that differ in a blank are two people.
  const named = claimAt(claims, settings.OAUTH_SUB_CLAIM);
  const sub = typeof named === "number" ? text(named) : named;
  if (typeof sub !== "string" || sub === "" || sub.length > 500)
    throw new SsoFailure("sso_provider_failed", {
      error: "claim_missing",
      error_description: `the claim ${settings.OAUTH_SUB_CLAIM} (OAUTH_SUB_CLAIM) is missing or not a string`,
    });
  const said = text(first(claimAt(claims, settings.OAUTH_EMAIL_CLAIM)));
  const email = said === undefined ? undefined : normalizeEmail(said);
  return {
    sub,
    email,
    emailVerified: email === undefined ? undefined : isVerified(provider, claims, email),
    name: readName(claims, settings.OAUTH_USERNAME_CLAIM) ?? email?.slice(0, email.lastIndexOf("@")),
    picture:
      settings.OAUTH_PICTURE_CLAIM === "" ? undefined : readPicture(claimAt(claims, settings.OAUTH_PICTURE_CLAIM)),
    roles: readNames(claimAt(claims, settings.OAUTH_ROLES_CLAIM), /[\s,]+/),
    groups: standsElsewhere(claims, settings.OAUTH_GROUPS_CLAIM)
      ? undefined
      : readNames(claimAt(claims, settings.OAUTH_GROUPS_CLAIM), /,/),
    claims,
  };
}

/**
 * The value at a dotted path. Names may hold dots themselves (`https://example.org/roles`, `resource_access.my.app.roles`):
 * whatever reading of the dots leads somewhere, the longest name first.
 */
export function claimAt(claims: Record<string, unknown>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const name = path.slice(0, dot);
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    const found = isRecord(value) ? claimAt(value, path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names of a list, or of one text with separators; anything else is none. */
export function readNames(value: unknown, separator: RegExp): string[] {
  const parts = Array.isArray(value) ? value : typeof value === "string" ? value.split(separator) : [];
  const names = parts
    .filter((part) => typeof part === "string")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part.length <= maxNameLength && !/[\p{Cc}\p{Cs}]/u.test(part));
  return [...new Set(names)].slice(0, maxNames);
}

/**
 * Whether the provider vouches for this very address: `email_verified` speaks of the claim `email`, not of one that a setting
 * named instead. Entra ID says it as `xms_edov`, and leaves `email` to whoever edits the account.
 */
function isVerified(provider: OidcProvider, claims: Record<string, unknown>, email: string): boolean | undefined {
  if (typeof claims["email"] !== "string" || normalizeEmail(claims["email"]) !== email) return undefined;
  const said = claims["email_verified"] ?? (provider.id === "microsoft" ? claims["xms_edov"] : undefined);
  if (said === undefined || said === null) return undefined;
  return said === true || said === "true" || (provider.id === "microsoft" && (said === 1 || said === "1"));
}

/** A claim that was too large comes as a reference (Core 1.0, section 5.6.2); Entra ID does so with many groups. */
function standsElsewhere(claims: Record<string, unknown>, path: string): boolean {
  const names = claims["_claim_names"];
  return claimAt(claims, path) === undefined && isRecord(names) && claimAt(names, path) !== undefined;
}

function readName(claims: Record<string, unknown>, claim: string): string | undefined {
  const parts = [claims["given_name"], claims["family_name"]].map(text).filter((part) => part !== undefined);
  const candidates = [claimAt(claims, claim), parts.join(" "), claims["preferred_username"], claims["nickname"]];
  for (const candidate of candidates) {
    const name = text(candidate)
      ?.replace(/[\p{Cc}\p{Cs}]+/gu, " ")
      .trim()
      .slice(0, 200)
      .replace(/\p{Cs}$/u, "");
    if (name) return name;
  }
  return undefined;
}

function readPicture(value: unknown): string | undefined {
  const address = text(value);
  if (address === undefined || !/^https?:/i.test(address)) return undefined;
  try {
    return parseProfileImage(address, "");
  } catch {
    return undefined;
  }
}

function text(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}
