import { type Context, createContext } from "../../src/context.ts";
import { newId } from "../../src/lib/id.ts";
import { resolveActor } from "../../src/people/auth/resolve-actor.ts";
import { origin, type Person, type World } from "../world.ts";

/** The verb context of a new request of the person: what the sign-in gate builds. */
export async function contextFor(world: World, person: Person): Promise<Context> {
  const resolved = await resolveActor(world.services, { token: person.token, transport: "bearer" });
  return createContext(world.services, resolved, { requestId: newId(), origin });
}
