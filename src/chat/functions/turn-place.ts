import type { EmitPlace } from "../events/emit-event.ts";

/** The turn in which functions run: what they are told about it, and where their events go. */
export interface TurnPlace extends EmitPlace {
  sessionId?: string | undefined;
  /** The purpose of an answer that is not for a person: `title_generation`, `tags_generation`. */
  task?: string | undefined;
}
