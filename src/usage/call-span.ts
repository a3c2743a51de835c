import { type Context, contextWith } from "../context.ts";
import type { Span } from "../lib/traces/span.ts";
import { writeTraceparent } from "../lib/traces/trace-context.ts";
import type { DriverKind } from "../models/drivers/driver.ts";
import type { Outbound } from "../ports.ts";
import { directUse } from "./direct-use.ts";
import type { Use } from "./record-use.ts";

type TracedContext = Pick<Context, "span" | "tracer" | "outbound">;

/** A model as its call's span names it. */
interface CalledModel {
  id: string;
  kind: DriverKind;
  connection: { id: string; baseUrl: string };
  isDirect?: boolean;
}

/** As OpenTelemetry names what speaks these APIs. */
const providerNames: Record<DriverKind, string> = {
  openai: "openai",
  anthropic: "anthropic",
  local: "ollama",
  function: "parley",
};

/**
 * The span of a call of a model, with the attributes of OpenTelemetry's conventions for generative AI; undefined where traces
 * are off. All attempts are one call.
 */
export function startCallSpan(
  { span }: TracedContext,
  operation: "chat" | "embeddings",
  { id: asked, kind, connection, isDirect = false }: CalledModel,
): Span | undefined {
  const id = isDirect ? directUse : asked;
  return span?.child({
    name: `${operation} ${id}`,
    kind: kind === "function" ? "internal" : "client",
    attributes: {
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": providerNames[kind],
      "gen_ai.request.model": id,
      "parley.connection.id": isDirect ? directUse : connection.id,
      ...(kind === "function" || isDirect ? {} : addressOf(connection.baseUrl)),
    },
  });
}

function addressOf(baseUrl: string) {
  if (!URL.canParse(baseUrl)) return {};
  const { hostname, port, protocol } = new URL(baseUrl);
  return { "server.address": hostname, "server.port": Number(port || (protocol === "https:" ? 443 : 80)) };
}

export function endCallSpan(
  span: Span | undefined,
  { usage, state, code, firstAt }: Pick<Use, "usage" | "state" | "code" | "firstAt">,
): void {
  if (!span) return;
  if (firstAt !== undefined) span.event("first_byte", firstAt);
  span.set({
    "gen_ai.usage.input_tokens": usage?.input,
    "gen_ai.usage.output_tokens": usage?.output,
    ...(usage?.isEstimated ? { "parley.usage.estimated": true } : {}),
    ...(state === "stopped" ? { "parley.aborted": true } : {}),
  });
  span.end(state === "error" ? (code ?? "upstream_error") : undefined);
}

/** The context for the call itself, as `outboundOfCall`. */
export function tellProvider(ctx: Context, span: Span | undefined): Context {
  const outbound = outboundOfCall(ctx, span);
  return outbound === ctx.outbound ? ctx : contextWith(ctx, { outbound });
}

/** With TRACEPARENT_TO_PROVIDERS, the call's request to the provider says whose child it is. */
export function outboundOfCall({ outbound, tracer }: TracedContext, span: Span | undefined): Outbound {
  if (!span || !tracer?.tellsProviders) return outbound;
  const { trusted } = outbound;
  const telling: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("traceparent", writeTraceparent(span.context));
    return trusted(input, { ...init, headers });
  };
  return { ...outbound, trusted: telling };
}
