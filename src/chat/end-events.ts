import type { LiveEvent } from "../shared/live-protocol.ts";
import type { TurnEnd } from "./run-turn.ts";

/** What tabs are told at the end of an answer, in this order. */
export function endEvents(end: TurnEnd): LiveEvent["data"][] {
  const { content, reasoning, state, error, usage, finishReason } = end;
  const completion = {
    done: true,
    state,
    content,
    ...(reasoning === "" ? {} : { reasoning }),
    ...(usage ? { usage } : {}),
    ...(error ? { error } : {}),
    ...end.extra,
    finish_reason: finishReason,
  };
  return [
    ...(error ? [{ type: "chat:message:error", data: { error: { ...error, content: error.message } } }] : []),
    { type: "chat:completion", data: completion },
    { type: "chat:active", data: { active: false } },
  ];
}
