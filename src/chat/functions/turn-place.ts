import type { EmitPlace } from "../events/emit-event.ts";

/** The turn that functions run in: what they are told of it, and where their events go. */
export interface TurnPlace extends EmitPlace {
  sessionId?: string | undefined;
  /** What the answer is for, where it is none to a person: `title_generation`. */
  task?: string | undefined;
}
