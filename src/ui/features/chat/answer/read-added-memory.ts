import { textField } from "../../../lib/live/live-state.ts";
import type { ToolStep } from "../items/message-items.ts";

export interface AddedMemory {
  id: string;
  content: string;
}

/** The memory that this call has added; undefined for every other call, and where it was remembered already. */
export function readAddedMemory({ name, builtIn, state, result }: ToolStep): AddedMemory | undefined {
  if (builtIn !== "memories" || name !== "add_memory" || state !== "done") return undefined;
  const answer = parse(result);
  const id = textField(answer, "id");
  return id === "" || textField(answer, "status") !== "success"
    ? undefined
    : { id, content: textField(answer, "content") };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
