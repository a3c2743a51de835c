import { heldCredential, requireUser } from "../../access.ts";
import { type Context, contextWith } from "../../context.ts";
import { resolveActorById } from "./resolve-actor.ts";

/** How often it is asked again who the caller is, milliseconds. */
const intervalMs = 3000;

/** For what outlives its request: the context with the caller as they are now, to be asked for at each step. */
export function lastingContext(ctx: Context): () => Promise<Context> {
  const credential = heldCredential(requireUser(ctx));
  let known = Date.now();
  let current = ctx;
  return async () => {
    if (Date.now() - known <= intervalMs) return current;
    known = Date.now();
    const { actor } = await resolveActorById(ctx, credential);
    current = contextWith(ctx, { actor });
    return current;
  };
}
