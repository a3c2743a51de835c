import type { HeldCredential } from "../access.ts";
import type { Context, Services } from "../context.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { requireModelRight } from "../models/catalog/find-model.ts";
import { noteUse } from "../people/auth/note-use.ts";
import { resolveActorById } from "../people/auth/resolve-actor.ts";

/** Something that stays open beyond the request that opened it. */
export interface OpenItem {
  credential: HeldCredential;
  /** The model that it answers with, where it does. */
  model?: string;
}

/**
 * Decides anew, from the database, what may stay open: by the credential and by its person's right to the model. One
 * look-up for each credential, however much it has open.
 * @param options `isUse`: somebody is there and looks, which counts as a use of the credential; `found` is called with who each is now
 * @returns what may not, with the reason
 * @throws whatever keeps it from deciding, such as a database that is away: then nothing is known
 */
export async function findRefused<T extends OpenItem>(
  services: Services,
  open: readonly T[],
  { isUse = false, found }: { isUse?: boolean; found?: (ctx: Context) => void } = {},
): Promise<Map<T, AppError>> {
  const contexts = new Map<string, Promise<Context | AppError>>();
  const models = new Map<string, Promise<AppError | undefined>>();
  const decide = async ({ credential, model }: T): Promise<AppError | undefined> => {
    const key = `${credential.userId} ${credential.kind} ${credential.id}`;
    const ctx = await once(contexts, key, () => orRefusal(contextOf(services, credential, isUse)));
    if (ctx instanceof AppError) return ctx;
    found?.(ctx);
    if (model === undefined) return undefined;
    return once(models, `${key} ${model}`, async () => (await orRefusal(requireModelRight(ctx, model))) || undefined);
  };
  const decided = await Promise.all(
    open.map(async (each): Promise<[T, AppError | undefined]> => [each, await decide(each)]),
  );
  return new Map(decided.filter((entry): entry is [T, AppError] => entry[1] !== undefined));
}

async function contextOf(services: Services, credential: HeldCredential, isUse: boolean): Promise<Context> {
  const { lastUsedAt, ...resolved } = await resolveActorById(services, credential);
  const ctx = { ...services, ...resolved, requestId: newId(), origin: "" };
  if (isUse && resolved.actor.kind === "user") noteUse(ctx, resolved.actor, lastUsedAt ?? 0);
  return ctx;
}

async function orRefusal<T>(work: Promise<T>): Promise<T | AppError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const running = known.get(key) ?? work();
  known.set(key, running);
  return running;
}
