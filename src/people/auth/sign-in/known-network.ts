import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { clientNetwork } from "../../../http/client-network.ts";
import { sha256Hex } from "../../../lib/sha256.ts";
import { users } from "../../users/tables.ts";
import type { Place } from "../passwords/hash-line.ts";
import { sessions } from "../sessions/tables.ts";
import type { Caller } from "./caller.ts";
import type { KnownDevice } from "./known-device.ts";
import { signInNetworks } from "./tables.ts";

/** Networks of a person; the one that was not used for longest makes room. */
const maxNetworks = 10;
/** Seconds since the last sign-in from there. */
export const networkLifetimeSeconds = 90 * 86_400;

/** What is known of somebody who gives a password, before it is checked. */
export interface SignInClient extends Caller {
  device: KnownDevice | undefined;
}

/** The same for one e-mail address: names of buckets, and the fingerprint of the client's network. */
export interface Origin {
  email: string;
  /** Bucket of the account, for all strangers together. */
  account: string;
  /** Bucket of this device or this network; undefined where nothing is known of the client. */
  own: string | undefined;
  isKnownDevice: boolean;
  fingerprint: string | undefined;
  network: string;
}

/** E-mail addresses are stored as hashes, because people mistype. */
export async function originOf(ctx: Context, email: string, { device, address }: SignInClient): Promise<Origin> {
  const account = await sha256Hex(email);
  const network = address === undefined ? "" : clientNetwork(address);
  const fingerprint = network === "" ? undefined : await ctx.vault.fingerprint(`${email} ${network}`);
  const isKnownDevice = device?.people.includes(account) === true;
  const own = isKnownDevice ? `${account}:${device.id}` : fingerprint && `${account}/${fingerprint}`;
  return { email, account, own, isKnownDevice, fingerprint, network };
}

/** SQL: whether the account that has this address now has signed in from this network. */
export function isKnownNetwork(ctx: Context, { email, fingerprint }: Origin): SQL<number> {
  const oldest = ctx.now() - networkLifetimeSeconds;
  return sql<number>`EXISTS (SELECT 1 FROM ${signInNetworks} n JOIN ${users} u ON u.id = n.user_id
    WHERE n.fingerprint = ${fingerprint ?? ""} AND n.used_at > ${oldest} AND u.email = ${email})`;
}

/** Where they wait for hashing: an attacker's network shares a lane only with other strangers. */
export function placeOf(origin: Origin, isKnownNetwork: boolean): Place {
  if (origin.isKnownDevice) return { lane: "known", share: origin.own! };
  if (isKnownNetwork) return { lane: "familiar", share: origin.own! };
  return { lane: "strangers", share: origin.network };
}

/** Statements that make the network known for the person, if the session of the same batch was started. */
export function rememberNetwork(ctx: Context, { fingerprint }: Origin, session: { id: string; userId: string }) {
  if (fingerprint === undefined) return [];
  const { userId } = session;
  const started = sql`EXISTS (SELECT 1 FROM ${sessions} WHERE id = ${session.id})`;
  const row = { fingerprint, userId, usedAt: ctx.now() };
  return [
    insertWhere(ctx.db, signInNetworks, row, started).onConflictDoUpdate({
      target: signInNetworks.fingerprint,
      set: { userId, usedAt: ctx.now() },
    }),
    ctx.db.delete(signInNetworks).where(
      sql`user_id = ${userId} AND fingerprint NOT IN (SELECT fingerprint FROM ${signInNetworks}
        WHERE user_id = ${userId} ORDER BY used_at DESC, fingerprint LIMIT ${maxNetworks})`,
    ),
  ];
}
