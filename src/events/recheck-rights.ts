import type { HeldCredential } from "../access.ts";
import { type Context, createContext, type Services } from "../context.ts";
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
 * Decides again, from the database, what may stay open: by the credential and by its person's permission for the model.
 * One lookup per credential.
 * @param options `isUse`: a person is active, which counts as a use of the credential; `found` is called with the
 *   current person of each credential
 * @returns what may not stay open, with the reason
 * @throws errors that prevent a decision, such as an unavailable database
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
  const found = await resolveActorById(services, credential);
  const ctx = createContext(services, found, { requestId: newId(), origin: "" });
  if (isUse && found.actor.kind === "user") noteUse(ctx, found.actor, found.lastUsedAt ?? 0);
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
