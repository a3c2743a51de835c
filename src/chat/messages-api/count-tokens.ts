import type { Context } from "../../context.ts";
import { findModel } from "../../models/catalog/find-model.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { requireParams } from "../chat-params.ts";
import { isPlain } from "../converse.ts";
import { type MessagesCaller, parseCount, speaksDialect } from "./answer-messages.ts";
import { answerUpstreamError } from "./answer-upstream-error.ts";
import { estimateInput, sampled } from "./estimate-input.ts";
import { nativeBody } from "./native-body.ts";
import { countNative } from "./pass-native.ts";

/**
 * The number of tokens of a Messages request: the provider's count if it has a Messages API, otherwise an estimate,
 * marked with the header `x-parley-estimated`.
 * @param body the request, unchecked
 * @throws AppError
 */
export async function countTokens(ctx: Context, body: unknown, caller: MessagesCaller): Promise<Response> {
  const request = parseCount(body);
  requireParams(ctx, request.params);
  const model = await findModel(ctx, request.model, { direct: true });
  const headers: Record<string, string> = { "request-id": ctx.requestId };
  if (speaksDialect(model) && model.driver.countTokens && isPlain(ctx, model, request)) {
    try {
      const counted = await countNative(ctx, model, {
        body: withoutAnswer(nativeBody(request, { system: request.params?.["system"] ?? model.params["system"] })),
        headers: caller.headers,
        signal: caller.signal,
      });
      if (counted)
        return new Response(counted.body, { headers: { ...Object.fromEntries(counted.headers), ...headers } });
    } catch (error) {
      if (error instanceof UpstreamError) return answerUpstreamError(error, ctx.requestId);
      throw error;
    }
  }
  const system = { system: model.params["system"], ...request.params }.system;
  const own =
    typeof system === "string" ? estimateInput({ ...request, messages: [], tools: [], system }, sampled.exact) : 0;
  const tokens = estimateInput(request, sampled.exact) + own;
  return Response.json({ input_tokens: tokens }, { headers: { ...headers, "x-parley-estimated": "true" } });
}

/** Removes fields for the answer, which providers reject when counting; some clients send the whole request. */
function withoutAnswer(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens: _, stream: _stream, stop_sequences: _stop, metadata: _metadata, ...counted } = body;
  return counted;
}
