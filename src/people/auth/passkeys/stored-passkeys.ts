import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { newChallenge, type Purpose } from "./challenge.ts";
import type { CheckedPasskey } from "./check-response.ts";
import { relyingParty } from "./relying-party.ts";
import type { Descriptor, Passkey, RequestOptions } from "./schema.ts";
import { passkeys } from "./tables.ts";

/** SQL: JSON text of the person's passkeys, as browsers want them named. */
export function descriptorsOf(userId: SQL): SQL<string> {
  return sql<string>`(SELECT json_group_array(json_object('type', 'public-key', 'id', credential_id, 'transports', json(transports)))
    FROM ${passkeys} WHERE user_id = ${userId})`;
}

/** SQL: JSON text of the person's passkeys, as they see them. */
export function passkeysOf(userId: SQL): SQL<string> {
  return sql<string>`(SELECT json_group_array(json_object('id', id, 'name', name, 'is_synced', json(iif(is_synced, 'true', 'false')),
      'created_at', created_at, 'last_used_at', last_used_at))
    FROM (SELECT * FROM ${passkeys} WHERE user_id = ${userId} ORDER BY created_at, id))`;
}

export const readPasskeys = (text: string): Passkey[] => JSON.parse(text) as Passkey[];

/** What a browser needs to sign. @param expiresAt of the challenge, epoch seconds */
export async function requestOptionsFor(
  ctx: Context,
  purpose: Purpose,
  allowCredentials: Descriptor[],
  expiresAt: number,
): Promise<RequestOptions> {
  return {
    rpId: relyingParty(ctx).id,
    challenge: await newChallenge(ctx, purpose, expiresAt),
    timeout: (expiresAt - ctx.now()) * 1000,
    allowCredentials,
    // With a password before it, the authenticator need not ask for a finger or a PIN.
    userVerification: purpose.for === "sign-in" ? "required" : "preferred",
  };
}

/**
 * Notes the use of a passkey. Changes no row where the passkey is gone, or where its counter did not grow: then two authenticators
 * have it (WebAuthn Level 3, section 6.1.1).
 */
export function notePasskeyUse(ctx: Context, id: string, { counter, isSynced }: CheckedPasskey, condition: SQL) {
  return ctx.db
    .run(sql`UPDATE ${passkeys} SET counter = ${counter}, is_synced = ${isSynced ? 1 : 0}, last_used_at = ${ctx.now()}
    WHERE id = ${id} AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0)) AND ${condition}`);
}
