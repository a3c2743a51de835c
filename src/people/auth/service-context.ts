import type { Context, Services } from "../../context.ts";
import { newId } from "../../lib/id.ts";
import { resolveActor } from "./resolve-actor.ts";

/** A context for work that no person asks for: nobody's rights, the settings in force now. One look-up. */
export async function serviceContext(services: Services): Promise<Context> {
  const { lastUsedAt: _, ...resolved } = await resolveActor(services, undefined);
  return { ...services, ...resolved, requestId: newId(), origin: services.environment.WEBUI_URL ?? "" };
}
