import type { AnswerStep } from "../../../src/chat/conversations/write-answer.ts";

/** A step that stores this text, whatever was stored before. */
export function whole(content: string, { number = 1, reasoning = "" } = {}): AnswerStep {
  return { number, isWhole: true, content, reasoning };
}
