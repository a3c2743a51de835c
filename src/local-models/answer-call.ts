import type { Context } from "../context.ts";
import { manageModels } from "./manage-models.ts";
import { mergeLists } from "./merge-lists.ts";
import type { ProxyCall } from "./proxy-call.ts";
import { readTarget } from "./read-target.ts";
import { findCall } from "./runtime-calls.ts";
import { listedModelIn, showListedModel } from "./show-listed-model.ts";
import { useModel } from "./use-model.ts";

/**
 * Answers any request to the proxy.
 * @throws AppError and UpstreamError, as long as no status line has been sent
 */
export async function answerCall(ctx: Context, request: Request, readBody: ProxyCall["readBody"]): Promise<Response> {
  const since = Date.now();
  const target = readTarget(request.method, request.url);
  const call = findCall(request.method, target.path);
  if (call?.kind === "list") return mergeLists(ctx, target.path, target.runtime);
  const proxied = { request, readBody, target, call, since };
  if (call?.kind === "use") return useModel(ctx, proxied);
  const listed = listedModelIn(proxied);
  return listed === undefined ? manageModels(ctx, proxied) : showListedModel(ctx, proxied, listed);
}
