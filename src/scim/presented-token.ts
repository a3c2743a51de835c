import { timingSafeEqual } from "node:crypto";
import type { Provisioner } from "../access.ts";
import type { Environment } from "../context.ts";
import { AppError } from "../errors.ts";

const variables = ["SCIM_TOKEN", "SCIM_TOKEN_PREVIOUS"] as const;

/**
 * Which of the valid tokens the request presents. Hashes are compared, all of them and in constant time: how long it takes says
 * nothing about how much of a guess was right. Keys and session tokens of people are none, and no other header counts.
 * @throws AppError `not_signed_in` for a header that is missing or malformed, a wrong token, and while provisioning is off.
 */
export async function presentedToken(environment: Environment, headers: Headers): Promise<Provisioner["token"]> {
  if (environment.SCIM_ENABLED !== true)
    throw new AppError("not_signed_in", "Provisioning is switched off: SCIM_ENABLED is not true");
  const authorization = headers.get("authorization");
  if (authorization === null) throw new AppError("not_signed_in", "The Authorization header is missing");
  const presented = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (presented === undefined)
    throw new AppError("not_signed_in", "The Authorization header is not of the form: Bearer <token>");
  const given = await hash(presented);
  let valid: Provisioner["token"] | undefined;
  for (const variable of variables) {
    const token = environment[variable];
    if (token && timingSafeEqual(given, await hash(token))) valid ??= variable;
  }
  if (valid === undefined) throw new AppError("not_signed_in", "The Bearer token is not the one that is set here");
  return valid;
}

async function hash(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
