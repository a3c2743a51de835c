import { type Context, createContext, type Services } from "../../context.ts";
import { newId } from "../../lib/id.ts";
import { resolveActor } from "./resolve-actor.ts";

/** A context for work without a person: no permissions, current settings. One lookup. */
export async function serviceContext(services: Services): Promise<Context> {
  const found = await resolveActor(services, undefined);
  return createContext(services, found, { requestId: newId(), origin: services.environment.WEBUI_URL ?? "" });
}
