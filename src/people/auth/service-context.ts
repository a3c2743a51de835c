import type { Context, Services } from "../../context.ts";
import { newId } from "../../lib/id.ts";
import { resolveActor } from "./resolve-actor.ts";

/** A context for work without a person: no permissions, current settings. One lookup. */
export async function serviceContext(services: Services): Promise<Context> {
  const { lastUsedAt: _, ...resolved } = await resolveActor(services, undefined);
  // Services may be a context themselves: what they inherit is not their own.
  const origin = services.environment.WEBUI_URL ?? "";
  return Object.assign(Object.create(services) as Services, { ...resolved, requestId: newId(), origin });
}
