import type { Question } from "../../../src/chat/ask-model.ts";
import { askWithTools } from "../../../src/chat/tools/ask-with-tools.ts";
import type { Context } from "../../../src/context.ts";
import type { Attachment } from "../../../src/plugins/tool.ts";
import type { ReplyDelta } from "../../../src/upstream/answers/accumulate-reply.ts";
import { checkStream } from "../../grammar/chat-completions.ts";
import { readAll } from "../../upstream/streams.ts";
import { scriptedModel, type ScriptedRound } from "./scripted-model.ts";
import { recordedTurn, type RecordedTurn } from "./tool-turn.ts";

type Json = Record<string, unknown>;

export const hello = [{ role: "user", content: "Hello" }];

export interface Asked {
  stream?: boolean;
  body?: Json;
  turn?: RecordedTurn;
  signal?: AbortSignal;
  refusal?: AbortSignal;
}

/** Asks, reads the answer to its end, and gives what everybody saw. */
export async function ask(ctx: Context, rounds: ScriptedRound[], attachment: Attachment, asked: Asked = {}) {
  const { stream = true, body = {}, turn = recordedTurn() } = asked;
  const scripted = scriptedModel(rounds);
  const deltas: ReplyDelta[] = [];
  const question: Question = {
    body: { messages: hello, ...body },
    stream,
    signal: asked.signal ?? new AbortController().signal,
    refusal: asked.refusal,
    onDelta: (delta) => void deltas.push(delta),
  };
  const answer = await askWithTools(ctx, scripted.model, question, attachment, turn);
  const reply = answer.kind === "json" ? answer.reply : undefined;
  const usage = (body["stream_options"] as Json | undefined)?.["include_usage"] === true;
  const checked = answer.kind === "stream" ? checkStream(await readAll(answer.body), { usage }) : undefined;
  const whole = reply ?? (await (answer as typeof answer & { kind: "stream" }).finished);
  const value = answer.kind === "json" ? answer.value : undefined;
  return { ...scripted, answer, checked, reply: whole, value, deltas, turn };
}

/** The messages of a request beyond the first one. */
export const added = (body: Json | undefined): Json[] => (body!["messages"] as Json[]).slice(1);
