import { AppError } from "../../../errors.ts";
import { isRecord } from "../../../lib/json.ts";
import { completionFromText, streamFromText } from "../../../upstream/chunks/chunk-builder.ts";
import { usualPolicy, usualQuirks } from "../../calling/schema.ts";
import type { Connection } from "../../connections/connection.ts";
import type { CompletionCall, Driver, ProviderModel } from "../driver.ts";
import { completePipe } from "./complete-pipe.ts";
import { answerQuestion } from "./guide/answer-question.ts";
import { readQuestion } from "./guide/read-question.ts";

/** The model that answers while no connection is configured. */
export const guideModel: ProviderModel = {
  id: "parley-guide",
  name: "Parley guide",
  created: 0,
  ownedBy: "parley",
  raw: {},
};

/** The connection entry for models that are part of the service. */
export const guideConnection: Connection = {
  id: "function",
  kind: "openai",
  name: "Parley",
  baseUrl: "",
  key: undefined,
  headers: {},
  organizationId: null,
  prefixId: "",
  modelIds: [],
  tags: [],
  enabled: true,
  quirks: usualQuirks,
  policy: usualPolicy,
  locked: true,
  createdAt: 0,
  updatedAt: 0,
};

/**
 * Models that are part of the service, and functions: they answer in the same format as a provider, so later code is
 * the same.
 */
export const functionModel: Driver = {
  kind: "function",
  listModels: () => Promise.resolve({ models: [guideModel], apiRoot: "" }),
  complete: async (call) => (call.pipe ? completePipe(call, call.pipe) : completeGuide(call)),
  embed: ({ model }) =>
    Promise.reject(
      new AppError("bad_request", `${model} is a function: it supports chats but not embeddings`, {
        param: "model",
      }),
    ),
};

function completeGuide({ model, body, signal }: CompletionCall): Response {
  const text = answerQuestion(readQuestion(body.messages));
  // Nothing was read or written by a model: no tokens.
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  if (body.stream !== true) return Response.json(completionFromText(text, { model, usage }));
  const wantsUsage = isRecord(body.stream_options) && body.stream_options.include_usage === true;
  const stream = streamFromText(lines(text), { model, signal, ...(wantsUsage ? { usage: () => usage } : {}) });
  return new Response(stream.body, { headers: { "content-type": "text/event-stream" } });
}

/** Line by line, without artificial delays. */
async function* lines(text: string): AsyncGenerator<string> {
  yield* text.split(/(?<=\n)/);
}
