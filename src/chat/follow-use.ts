import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { Span } from "../lib/traces/span.ts";
import type { ResolvedModel } from "../models/catalog/find-model.ts";
import type { Reply } from "../upstream/answers/accumulate-reply.ts";
import type { UpstreamAnswer } from "../upstream/answers/read-upstream-answer.ts";
import { UpstreamError } from "../upstream/errors/upstream-error.ts";
import { endCallSpan, startCallSpan } from "../usage/call-span.ts";
import { estimateUsage } from "../usage/estimate-tokens.ts";
import { noteOpenCall } from "../usage/open-calls.ts";
import { readUsage, type TokenUsage } from "../usage/read-usage.ts";
import { recordUse } from "../usage/record-use.ts";
import type { Question } from "./ask-model.ts";

/** Records the usage of one model call, however it ends. */
export interface UseFollower {
  answered(answer: UpstreamAnswer): void;
  /** There is no answer. */
  failed(error: unknown): void;
  /** Of the call; undefined where traces are off. */
  span: Span | undefined;
}

/** Call it right before the model is asked. Pieces of a stream cost nothing. */
export function followUse(ctx: Context, model: ResolvedModel, question: Question): UseFollower {
  const startedAt = Date.now();
  const end = noteOpenCall(ctx.environment);
  const { api = "chat", isFurther } = question;
  const span = startCallSpan(ctx, "chat", model);
  const record = (use: {
    usage?: TokenUsage | undefined;
    error?: { code: string | null } | undefined;
    firstAt?: number;
  }) => {
    const { usage, error, firstAt } = use;
    end();
    const isStopped = error?.code === "request_cancelled" || (error !== undefined && question.signal.aborted);
    const ended = {
      firstAt,
      usage,
      state: error === undefined ? "done" : isStopped ? "stopped" : "error",
      ...(error && !isStopped ? { code: error.code ?? "upstream_error" } : {}),
    } as const;
    endCallSpan(span, ended);
    recordUse(ctx, { api, model, connectionId: model.connection.id, startedAt, isFurther, ...ended });
  };
  return {
    span,
    answered(answer) {
      if (answer.kind === "json") return record({ usage: usageIn(answer.reply, model, question) });
      const firstAt = Date.now();
      ctx.waitUntil(
        answer.finished.then((reply) =>
          record({ usage: usageIn(reply, model, question), error: reply.error, firstAt }),
        ),
      );
    },
    failed(error) {
      const isKnown = error instanceof UpstreamError || error instanceof AppError;
      record({ error: { code: isKnown ? error.code : "internal_error" } });
    },
  };
}

/** The provider's usage, or an estimate. Functions use nothing themselves: the models that they call are recorded. */
function usageIn(reply: Reply, model: ResolvedModel, { body }: Question): TokenUsage | undefined {
  const said = readUsage(reply.usage);
  if (said || model.kind === "function") return said;
  const written = reply.choices.flatMap(({ content, reasoning, refusal, toolCalls }) => [
    content,
    reasoning,
    refusal,
    ...toolCalls.map(({ function: called }) => `${called.name} ${called.arguments}`),
  ]);
  const { messages, tools } = body;
  return estimateUsage({ messages, tools }, written.join("\n").trim());
}
