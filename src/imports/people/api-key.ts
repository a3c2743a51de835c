import { eq } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../../people/audit/audit-row.ts";
import { hashApiKey } from "../../people/auth/api-keys/hash-api-key.ts";
import { unnamedKey } from "../../people/auth/api-keys/own-keys.ts";
import { apiKeys } from "../../people/auth/api-keys/tables.ts";
import { time } from "../../people/schema.ts";
import { organizationOf } from "../../people/users/organization-of.ts";
import { defineKind, type ImportRun, type Outcome } from "../kind.ts";
import { takenIn } from "../record-parts.ts";
import { sourceId } from "../schema.ts";

/** Shorter ones could be guessed from their hash. */
const minSecretLength = 24;

const shape = z.object({
  kind: z.literal("api_key"),
  id: sourceId,
  person_id: sourceId,
  /** In the clear, or as it is kept: its hash with its last characters. */
  secret: z.string().max(1000).nullish(),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "Expected SHA-256 in hexadecimal")
    .nullish(),
  hint: z.string().max(10).default(""),
  name: z.string().trim().min(1).max(100).default(unnamedKey),
  /** Of a service account's key: the only routes that it may call. */
  allowed_endpoints: z.string().trim().min(1).max(10_000).nullish(),
  created_at: time.nullish(),
  expires_at: time.nullish(),
  last_used_at: time.nullish(),
});
type Key = z.infer<typeof shape>;

/** A key that goes on working: only its hash is kept. */
export const apiKeyKind = defineKind<Key>({
  shape,
  references: ({ person_id: id }) => [{ kind: "person", id }],
  taken: takenIn("api_keys"),
  plan: planKey,
});

async function planKey(run: ImportRun, record: Key, id: string): Promise<Outcome> {
  const { ctx } = run;
  const userId = run.find("person", record.person_id);
  const { secret, name } = record;
  const expiresAt = record.expires_at ?? null;
  if (userId === undefined) return { leftOut: "Its owner wasn't imported" };
  const isHashed = !secret && record.hash;
  if (!secret && !isHashed) return { leftOut: "It has neither a secret nor a hash" };
  if (secret && !secret.startsWith("sk-")) return { leftOut: "Keys start with sk- here: create a new one" };
  if (secret && secret.length < minSecretLength) return { leftOut: "It's too short to be safe: create a new one" };
  if (expiresAt !== null && expiresAt <= ctx.now()) return { leftOut: "It has expired" };
  const hash = secret ? await hashApiKey(secret) : record.hash!;
  const [there] = await ctx.db
    .select({ id: apiKeys.id, userId: apiKeys.userId })
    .from(apiKeys)
    .where(eq(apiKeys.hash, hash));
  if (there) return there.userId === userId ? { matched: there.id } : { leftOut: "It is somebody else's key here" };
  return {
    statements: [
      ctx.db.insert(apiKeys).values({
        id,
        userId,
        name,
        hash,
        hint: secret ? secret.slice(-4) : record.hint,
        allowedEndpoints: record.allowed_endpoints ?? null,
        createdAt: record.created_at ?? ctx.now(),
        expiresAt,
        lastUsedAt: record.last_used_at ?? null,
      }),
      auditRow(ctx, {
        action: "api_key.created",
        targetType: "api_key",
        targetId: id,
        organizationId: organizationOf(userId),
        detail: { name, user_id: userId },
      }),
    ],
    notes: ctx.settings.ENABLE_API_KEYS ? [] : ["It works once API keys are switched on here"],
  };
}
