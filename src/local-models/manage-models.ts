import { requireAdmin } from "../access.ts";
import type { Context } from "../context.ts";
import { idleMs } from "../models/call-model.ts";
import { defaultBudgetMs, forgetList } from "../models/catalog/look-up-list.ts";
import { askAll } from "../models/catalog/provider-lists.ts";
import type { Connection } from "../models/connections/connection.ts";
import { withoutPrefix } from "../models/connections/connection.ts";
import { auditRow } from "../people/audit/audit-row.ts";
import { answerFailure, answerFrom } from "./answer-from.ts";
import { askRuntimes, type RuntimeRequest } from "./ask-runtimes.ts";
import { chooseRuntime } from "./choose-runtime.ts";
import type { ProxyCall } from "./proxy-call.ts";
import { requestHeaders } from "./proxy-headers.ts";
import { modelIn, readCallBody, type CallBody } from "./read-call-body.ts";
import { chosenRuntimes, runtimesFor } from "./runtimes.ts";
import { sayFarewell } from "./say-farewell.ts";
import { watchAnswer } from "./watch-answer.ts";

/** Fields that name models, in whatever call. */
const nameFields = ["model", "name", "from", "source", "destination"];

/** What is written down of a call; of what is not known here, only which call it was. */
const actions: Readonly<Record<string, string>> = {
  "/api/pull": "local_model.pull_requested",
  "/api/push": "local_model.push_requested",
  "/api/create": "local_model.create_requested",
  "/api/copy": "local_model.copy_requested",
  "/api/delete": "local_model.delete_requested",
  "/api/unload": "local_model.unload_requested",
};

/**
 * Everything else that runtimes can do: what changes which models they hold, and calls that nobody here knows. It goes to one runtime
 * as it came; what it was is in the audit log before the runtime hears of it.
 * @throws AppError `forbidden`, `bad_request`, `not_ready` where no runtime is connected; UpstreamError where it does not answer
 */
export async function manageModels(ctx: Context, proxied: ProxyCall): Promise<Response> {
  requireAdmin(ctx);
  const { request, target } = proxied;
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isJson = proxied.call !== undefined || /[/+]json/i.test(request.headers.get("content-type") ?? "");
  const body = !isRead && isJson ? await readCallBody(proxied, nameFields) : undefined;
  if (body && proxied.call && target.path !== "/api/copy") modelIn(body);
  const { runtimes } = await runtimesFor(ctx);
  const runtime = await chooseRuntime(ctx, chosenRuntimes(runtimes, target.runtime), namesIn(body));
  if (!isRead) await ctx.db.batch([auditRow(ctx, changeOf(proxied, runtime, body))]);
  const abort = new AbortController();
  const answer = await askRuntimes(ctx, [requestFor(proxied, runtime, body)], {
    method: target.path === "/api/push" || target.path === "/api/unload" ? "POST" : request.method,
    headers: requestHeaders(request.headers),
    signal: AbortSignal.any([request.signal, abort.signal]),
    idempotent: isRead,
    model: "",
  });
  const { response } = answer;
  const forget = () => void (isRead || forgetList(ctx, runtime));
  const lookAgain = () => {
    forget();
    if (!isRead) askAll(ctx, [runtime], defaultBudgetMs);
  };
  if (!response.ok) return answerFailure(answer);
  if (!response.body) {
    lookAgain();
    return answerFrom(answer);
  }
  const watched = watchAnswer(response.body, {
    refusal: abort.signal,
    idleMs: idleMs(ctx.settings, runtime),
    farewell: (reason) => sayFarewell(response.headers.get("content-type") ?? "", reason),
    onCancel: (reason) => abort.abort(reason),
    // Clients disconnect as soon as they read `success`, and expect the result to be there.
    onPiece: forget,
    onEnd: lookAgain,
  });
  return answerFrom(answer, watched);
}

/** What decides which runtime it is about: where a model is to come from, before what it will be called. */
function namesIn(body: CallBody | undefined): string[] {
  const fields = (body?.fields ?? []).filter(({ name }) => name !== "destination");
  const isSource = (name: string) => Number(name === "from" || name === "source");
  return fields.toSorted((a, b) => isSource(b.name) - isSource(a.name)).map(({ value }) => value);
}

function requestFor({ request, target }: ProxyCall, runtime: Connection, body: CallBody | undefined): RuntimeRequest {
  const own = (name: string) => withoutPrefix(runtime, name) ?? name;
  if (body && target.path === "/api/unload")
    return { runtime, path: "/api/generate", body: JSON.stringify({ model: own(modelIn(body)), keep_alive: 0 }) };
  const sent = body ? body.renamed(({ value }) => own(value)) : request.body;
  return { runtime, path: `${target.path}${target.query}`, body: sent };
}

function changeOf({ request, target, call }: ProxyCall, runtime: Connection, body: CallBody | undefined) {
  const where = { connection_id: runtime.id, runtime: runtime.name };
  const action = call && actions[call.path];
  if (!action)
    return {
      action: "local_runtime.called",
      targetType: "connection",
      targetId: runtime.id,
      detail: { name: runtime.name, method: request.method, path: target.path.slice(0, 300) },
    };
  const names = Object.fromEntries((body?.fields ?? []).map(({ name, value }) => [name, value.slice(0, 300)]));
  const name = names["model"] ?? names["name"] ?? names["source"] ?? "";
  return { action, targetType: "local_model", targetId: name, detail: { ...where, ...names, name } };
}
