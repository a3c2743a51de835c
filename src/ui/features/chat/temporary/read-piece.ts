import { isRecord, textField } from "../../../lib/live/live-state.ts";
import { readError } from "../read-history.ts";

/** What events of a chat-completions stream bring to an answer. */
export interface Piece {
  content: string;
  reasoning: string;
  usage?: Record<string, unknown>;
  error?: { message: string; code?: string };
  finishReason?: string;
  /** The stream has said that it is over. */
  isLast: boolean;
}

/** Reads events that came together as one piece; what is no event of this dialect brings nothing. */
export function readPiece(events: readonly string[]): Piece {
  const piece: Piece = { content: "", reasoning: "", isLast: false };
  for (const data of events) {
    if (data === "[DONE]") piece.isLast = true;
    else addTo(piece, parse(data));
  }
  return piece;
}

function addTo(piece: Piece, chunk: unknown): void {
  if (!isRecord(chunk)) return;
  const error = readError(chunk["error"]);
  if (error) piece.error = error;
  if (isRecord(chunk["usage"])) piece.usage = chunk["usage"];
  const [choice] = Array.isArray(chunk["choices"]) ? (chunk["choices"] as unknown[]) : [];
  const delta = isRecord(choice) ? choice["delta"] : undefined;
  const finishReason = textField(choice, "finish_reason");
  if (finishReason) piece.finishReason = finishReason;
  piece.content += textField(delta, "content");
  piece.reasoning += textField(delta, "reasoning_content");
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
