import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { isUniqueViolation } from "../../../db/database-error.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { AppError } from "../../../errors.ts";
import { newId } from "../../../lib/id.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { confirmPassword, requirePerson } from "../second-factor/confirm-person.ts";
import { newCodeStatements } from "../second-factor/new-code-statements.ts";
import { totpSecrets } from "../second-factor/tables.ts";
import { challengeSeconds, newChallenge, spendChallenge } from "./challenge.ts";
import { checkMade, userHandleOf } from "./check-response.ts";
import { relyingParty, requirePasskeys } from "./relying-party.ts";
import type { AddedPasskey, CreationOptions, Descriptor, NewPasskey } from "./schema.ts";
import { descriptorsOf } from "./stored-passkeys.ts";
import { passkeys } from "./tables.ts";

/** Of one person: more than anybody has devices. */
const maxPasskeys = 20;
/** ES256, EdDSA and RS256 (RFC 9053 and 8812), which all authenticators have one of. */
const algorithms = [-7, -8, -257];

const purposeOf = (user: ReturnType<typeof requirePerson>) => {
  const { credential } = user;
  return { for: "add", userId: user.id, sessionId: credential.kind === "session" ? credential.sessionId : "" } as const;
};

/**
 * What a browser needs to make a passkey. Takes the password, because the browser may be somebody else's.
 * @throws AppError `incorrect_password`, `too_many_requests`; `limit_reached`; `forbidden` where passkeys are off
 */
export async function startPasskey(ctx: Context, password: string): Promise<CreationOptions> {
  const user = requirePerson(ctx);
  requirePasskeys(ctx);
  const { release } = await confirmPassword(ctx, user, password);
  const [, [found]] = await ctx.db.batch([
    release,
    ctx.db.all<{ list: string }>(sql`SELECT ${descriptorsOf(sql`${user.id}`)} AS list`),
  ]);
  const there = JSON.parse(found!.list) as Descriptor[];
  if (there.length >= maxPasskeys) throw tooMany();
  return {
    rp: { id: relyingParty(ctx).id, name: ctx.settings.WEBUI_NAME },
    user: { id: userHandleOf(user.id), name: user.email, displayName: user.name },
    challenge: await newChallenge(ctx, purposeOf(user), ctx.now() + challengeSeconds),
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    timeout: challengeSeconds * 1000,
    excludeCredentials: there,
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    attestation: "none",
  };
}

/**
 * Stores a passkey that the browser has made. With the first factor of an account come its recovery codes.
 * @throws AppError `invalid_credentials` for one that does not belong to this session's start, or came too late; `conflict` for one
 *   that is there already; `limit_reached`; `forbidden` where passkeys are off
 */
export async function addPasskey(ctx: Context, { name, credential }: NewPasskey): Promise<AddedPasskey> {
  const user = requirePerson(ctx);
  requirePasskeys(ctx);
  const made = await checkMade(ctx, purposeOf(user), credential);
  if (!made) throw notTaken();
  const row = {
    id: newId(),
    userId: user.id,
    credentialId: made.credentialId,
    publicKey: made.publicKey,
    counter: made.counter,
    transports: credential.response.transports,
    name,
    isSynced: made.isSynced,
    createdAt: ctx.now(),
    lastUsedAt: null,
  };
  const count = sql`(SELECT count(*) FROM ${passkeys} WHERE user_id = ${user.id})`;
  const isThere = sql`EXISTS (SELECT 1 FROM ${passkeys} WHERE id = ${row.id})`;
  const isFirst = sql`${isThere} AND ${count} = 1
    AND NOT EXISTS (SELECT 1 FROM ${totpSecrets} WHERE user_id = ${user.id} AND confirmed_at IS NOT NULL)`;
  const { codes, statements } = await newCodeStatements(ctx, user.id, isFirst);
  const results = await ctx.db
    .batch([
      spendChallenge(ctx, made.challenge),
      insertWhere(ctx.db, passkeys, row, sql`changes() > 0 AND ${count} < ${maxPasskeys}`).returning({
        id: passkeys.id,
      }),
      auditRowIf(
        ctx,
        { action: "user.passkey_added", targetType: "user", targetId: user.id, detail: { passkey: name } },
        isThere,
      ),
      ...statements,
      ctx.db.all<{ count: number; first: number }>(sql`SELECT ${count} AS count, ${isFirst} AS first`),
    ])
    .catch((error: unknown) => {
      if (isUniqueViolation(error, "passkeys.credential_id"))
        throw new AppError("conflict", "This passkey is there already");
      throw error;
    });
  const [state] = results.at(-1) as { count: number; first: number }[];
  if (results[1].length === 0) throw state!.count >= maxPasskeys ? tooMany() : notTaken();
  await ctx.live.recheck([user.id]);
  return {
    passkey: { id: row.id, name, is_synced: row.isSynced, created_at: row.createdAt, last_used_at: null },
    ...(state!.first ? { recovery_codes: codes } : {}),
  };
}

function notTaken(): AppError {
  return new AppError(
    "invalid_credentials",
    "This passkey was not made for this session, or took too long: try again",
    {
      param: "credential",
    },
  );
}

function tooMany(): AppError {
  return new AppError("limit_reached", `An account can have ${maxPasskeys} passkeys: remove one first`);
}
