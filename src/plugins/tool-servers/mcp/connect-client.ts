import {
  Client,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type PriorDiscovery,
} from "@modelcontextprotocol/client";
import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { finishesWithin } from "../../../lib/finishes-within.ts";
import { ServerFailure } from "../server-failure.ts";
import type { ToolServer } from "../tool-server.ts";
import type { CallPlace } from "../user-information.ts";
import { boundedValidator } from "./bounded-validator.ts";
import { transportFetch, type TransportNotes } from "./transport-fetch.ts";

/** An open connection to an MCP server. */
export interface McpConnection {
  client: Client;
  notes: TransportNotes;
  /** Which generation of the protocol the server speaks. */
  prior: PriorDiscovery | undefined;
  /** Ends the session where the server keeps one. Never fails. */
  close(): Promise<void>;
}

const self = { name: "parley", title: "Parley", version: "1.0.0" };
/** Milliseconds in which a session has to be given back. */
const farewellMs = 2000;

/**
 * Connects to an MCP server (streamable HTTP): without a session where the server speaks the protocol of 2026, with one
 * where it does not. Nothing is offered to the server: it cannot ask models or people for anything.
 * @throws ServerFailure
 */
export async function connectMcp(
  ctx: Context,
  user: User,
  server: ToolServer,
  place: CallPlace,
  options: { timeoutMs: number; signal?: AbortSignal | undefined; prior?: PriorDiscovery | undefined },
): Promise<McpConnection> {
  const notes: TransportNotes = { failure: undefined, secrets: [] };
  const open = async (prior: PriorDiscovery | undefined) => {
    const client = new Client(self, {
      capabilities: {},
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: boundedValidator,
      listMaxPages: 20,
    });
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      fetch: transportFetch(ctx, user, server, place, notes),
      redirectPolicy: "same-origin",
      onInsufficientScope: "throw",
      reconnectionOptions: {
        maxReconnectionDelay: 2000,
        initialReconnectionDelay: 300,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 2,
      },
    });
    await client.connect(transport, {
      timeout: options.timeoutMs,
      maxTotalTimeout: options.timeoutMs,
      ...(options.signal ? { signal: options.signal } : {}),
      ...(prior ? { prior } : {}),
    });
    return { client, transport };
  };
  try {
    const { client, transport } = await open(options.prior).catch((error: unknown) => {
      // The server may have been replaced by one of the other generation.
      if (!options.prior || notes.failure || options.signal?.aborted) throw error;
      return open(undefined);
    });
    const discover = client.getDiscoverResult();
    return {
      client,
      notes,
      prior: discover ? { kind: "modern", discover } : { kind: "legacy" },
      async close() {
        if (transport.sessionId !== undefined) await finishesWithin(farewellMs, transport.terminateSession());
        await finishesWithin(farewellMs, client.close());
      },
    };
  } catch (error) {
    throw explain(error, server, notes);
  }
}

/** The failure behind an error of the protocol's client, in words for people and models. */
export function explain(error: unknown, server: ToolServer, notes: TransportNotes): ServerFailure {
  if (error instanceof ServerFailure) return error;
  if (notes.failure) return notes.failure;
  const { host } = new URL(server.url);
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new ServerFailure("outage", `${host} did not answer in time`, error);
  const status = error instanceof SdkHttpError ? error.status : undefined;
  if (status === 404 || status === 405)
    return new ServerFailure("answer", `No MCP server at ${server.url} (${status}): check the address`);
  if (status !== undefined && status >= 500)
    return new ServerFailure("outage", `${host} returned an error (${status})`);
  if (error instanceof Error && error.name === "AbortError")
    return new ServerFailure("refused", "The call was canceled");
  const said = error instanceof Error ? error.message.slice(0, 300) : "";
  return new ServerFailure(
    "answer",
    `${host} did not respond like an MCP server${said === "" ? "" : `: ${said}`}`,
    error,
  );
}
