import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import type { ToolOutcome, ToolScope } from "../../tool.ts";
import { fetchBounded, isOutage, type Answer } from "../bounded-fetch.ts";
import { callHeaders } from "../call-headers.ts";
import { listingKey } from "../known-listing.ts";
import { noteAnswer, noteOutage } from "../server-circuit.ts";
import { isTrusted } from "../server-rights.ts";
import type { ToolServer } from "../tool-server.ts";
import { buildRequest } from "./build-request.ts";
import type { OperationPlan } from "./operation-plan.ts";
import { readAnswer } from "./read-answer.ts";

/** Largest answer of a function that is taken. */
const maxBytes = 5_000_000;

type Scope = Pick<ToolScope, "chatId" | "messageId" | "signal">;

/**
 * Calls an operation. Arguments cannot override the authentication headers.
 * @throws ServerFailure
 */
export async function callOperation(
  ctx: Context,
  user: User,
  server: ToolServer,
  plan: OperationPlan,
  args: Record<string, unknown>,
  scope: Scope,
): Promise<ToolOutcome> {
  const fetch = isTrusted(server) ? ctx.outbound.trusted : ctx.outbound.guarded;
  let secrets: string[] = [];
  let proof: string | undefined;
  const send = async (rejected?: string): Promise<Answer> => {
    const request = buildRequest(plan, args);
    const call = await callHeaders(ctx, user, server, scope, rejected);
    ({ secrets, proof } = call);
    for (const [name, value] of call.headers) request.headers.set(name, value);
    const limits = { timeoutMs: server.timeout * 1000, maxBytes, signal: scope.signal };
    return fetchBounded(fetch, request.url, request, limits);
  };
  let answer = await send();
  if (answer.status === 401 && server.authType === "oauth") answer = await send(proof);
  if (isOutage(answer.status)) noteOutage(ctx, listingKey(server));
  else noteAnswer(ctx, listingKey(server));
  return readAnswer(answer, secrets);
}
