import { answerMessages } from "../chat/messages-api/answer-messages.ts";
import { countTokens } from "../chat/messages-api/count-tokens.ts";
import { answerResponses } from "../chat/responses-api/answer-responses.ts";
import type { Context } from "../context.ts";
import type { RuntimeModel } from "./find-runtime-model.ts";
import { lacksCall } from "./lacks-call.ts";
import type { ProxyCall } from "./proxy-call.ts";
import type { CallBody } from "./read-call-body.ts";

/** Calls that Parley answers by a chat completion where a runtime does not have them: older ones, llama.cpp and others. */
const converters: Readonly<Record<string, typeof answerMessages>> = {
  "/v1/responses": answerResponses,
  "/v1/messages": answerMessages,
  "/v1/messages/count_tokens": countTokens,
};

/**
 * Of the places of a model those that have the call themselves; or else the answer, where none has.
 * @throws AppError and UpstreamError as the converting API does
 */
export async function convertCall(
  ctx: Context,
  { request, target, since }: ProxyCall,
  model: RuntimeModel,
  body: CallBody,
): Promise<RuntimeModel | Response> {
  const convert = converters[target.path];
  if (!convert) return model;
  const lacking = await Promise.all(model.places.map(({ runtime }) => lacksCall(ctx, runtime, target.path)));
  const places = model.places.filter((_, at) => !lacking[at]);
  if (places.length > 0) return { ...model, places };
  const { signal, headers } = request;
  return convert(ctx, { ...body.parse(), model: model.id }, { signal, since, headers });
}
