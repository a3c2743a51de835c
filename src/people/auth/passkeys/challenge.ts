import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { sha256Hex } from "../../../lib/sha256.ts";
import { usedChallenges } from "./tables.ts";

/** Seconds in which a challenge has to be answered. */
export const challengeSeconds = 300;

/** What a challenge is for: its answer is taken for nothing else, and from nobody else. */
export type Purpose =
  | { for: "sign-in" }
  /** The second step of one sign-in. */
  | { for: "step"; tokenHash: string }
  /** A new passkey of one person, in one session. */
  | { for: "add"; userId: string; sessionId: string };

/** A challenge that a browser answered, while nobody has answered it before. */
export interface AnsweredChallenge {
  hash: string;
  expiresAt: number;
}

const base64url = (text: string) => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/**
 * A new challenge, in base64url. It is stored nowhere, so that strangers who ask for many fill no table: it says when it ends, under
 * a seal with its purpose.
 * @param expiresAt epoch seconds
 */
export async function newChallenge(ctx: Context, purpose: Purpose, expiresAt: number): Promise<string> {
  const random = base64url(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  return base64url(`${random}.${expiresAt}.${await sealOf(ctx, purpose, `${random}.${expiresAt}`)}`);
}

/** The challenge, where it was made here for this purpose and has not ended; undefined for any other text. */
export async function readChallenge(
  ctx: Context,
  purpose: Purpose,
  challenge: string,
): Promise<AnsweredChallenge | undefined> {
  const [random = "", end = "", seal = "", ...more] = decode(challenge).split(".");
  const expiresAt = Number(end);
  if (more.length > 0 || !/^\d+$/.test(end) || expiresAt <= ctx.now()) return undefined;
  const wanted = await sealOf(ctx, purpose, `${random}.${end}`);
  // Both hashed: how long the comparison takes says nothing about the seal.
  if ((await sha256Hex(seal)) !== (await sha256Hex(wanted))) return undefined;
  return { hash: await sha256Hex(challenge), expiresAt };
}

/** Uses the challenge up: for the batch of what it allows. `changes() > 0` for the next statement, unless it was used before. */
export function spendChallenge(ctx: Context, { hash, expiresAt }: AnsweredChallenge, condition: SQL = sql`TRUE`) {
  return insertWhere(ctx.db, usedChallenges, { hash, expiresAt }, condition).onConflictDoNothing();
}

function sealOf(ctx: Context, purpose: Purpose, text: string): Promise<string> {
  return ctx.vault.fingerprint(`passkey challenge ${JSON.stringify(Object.values(purpose))} ${text}`);
}

function decode(challenge: string): string {
  try {
    return atob(challenge.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}
