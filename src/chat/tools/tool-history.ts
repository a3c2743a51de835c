import { isRecord } from "../../lib/json.ts";
import { presentable } from "../../upstream/repair/call-ids.ts";

/** A message of an answer with calls, for a model. */
export interface HistoryMessage {
  role: "assistant" | "tool";
  content: string | null;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** The fields of a stored call; `round` and `at` say with which others it was made, and where. */
interface PastCall {
  name: string;
  arguments: string;
  told: string;
  round: number;
  at: number;
}

/**
 * An answer with tool calls, reconstructed as the model wrote it: each round's text with its calls, then their results
 * in order, and finally the text that followed. Empty if none of the items is a call.
 * @param items tool items of the message, in order; other items are skipped
 * @param newId makes the ids of the calls, which only the results refer to
 */
export function historyOf(content: string, items: readonly unknown[], newId: () => string): HistoryMessage[] {
  const calls = items.flatMap((item) => readCall(item) ?? []);
  const messages: HistoryMessage[] = [];
  let from = 0;
  for (const round of roundsOf(calls)) {
    const to = placeIn(content, round[0]!.at, from);
    const made = round.map((call) => ({ id: newId(), call }));
    messages.push({
      role: "assistant",
      content: said(content.slice(from, to)),
      tool_calls: made.map(({ id, call }) => ({ id, type: "function", function: presentable(call) })),
    });
    for (const { id, call } of made) messages.push({ role: "tool", tool_call_id: id, content: call.told });
    from = to;
  }
  const rest = said(content.slice(from));
  if (messages.length > 0 && rest !== null) messages.push({ role: "assistant", content: rest });
  return messages;
}

/** Removes the empty line that was added between the texts of rounds. */
function said(text: string): string | null {
  const own = text.replace(/^\n\n/, "");
  return own.trim() === "" ? null : own;
}

function roundsOf(calls: readonly PastCall[]): PastCall[][] {
  const rounds: PastCall[][] = [];
  for (const call of calls) {
    const last = rounds.at(-1);
    if (last && last[0]!.round === call.round && last[0]!.at === call.at) last.push(call);
    else rounds.push([call]);
  }
  return rounds;
}

/** The position in the text when the calls were made; the text may have been edited since. Never within a character. */
function placeIn(content: string, at: number, from: number): number {
  const place = Math.max(from, Math.min(at, content.length));
  const isWithin = /[\uDC00-\uDFFF]/.test(content[place] ?? "") && /[\uD800-\uDBFF]/.test(content[place - 1] ?? "");
  return isWithin ? place - 1 : place;
}

function readCall(item: unknown): PastCall | undefined {
  if (!isRecord(item)) return undefined;
  const { call_id: id, name, arguments: written, state, result, error, round, at } = item;
  if (typeof id !== "string" || typeof name !== "string" || typeof state !== "string") return undefined;
  const told =
    state === "running"
      ? "Error: The call was stopped before it had a result"
      : typeof error === "string"
        ? `Error: ${error}`
        : typeof result === "string" && result.trim() !== ""
          ? result
          : "(The tool returned no result)";
  return {
    name,
    arguments: typeof written === "string" ? written : "{}",
    told,
    round: typeof round === "number" ? round : 0,
    at: typeof at === "number" && at >= 0 ? at : 0,
  };
}
