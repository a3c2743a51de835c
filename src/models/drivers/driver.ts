import type { Outbound } from "../../ports.ts";
import type { Connection } from "../connections/connection.ts";
import type { ConnectionKind } from "../connections/schema.ts";
import type { PipeRun } from "./function-model/complete-pipe.ts";

/** `function` models are part of the service and need no connection. */
export type DriverKind = ConnectionKind | "function";

/** What a driver needs to know of a connection. */
export type Target = Pick<Connection, "baseUrl" | "apiRoot" | "key" | "headers" | "ownerId">;

/** One model as its provider lists it; plain data, small. */
export interface ProviderModel {
  /** The provider's own id, without any prefix. */
  id: string;
  name: string;
  /** Epoch seconds; 0 where the provider does not say. */
  created: number;
  ownedBy: string;
  /** The provider's entry, trimmed. */
  raw: Record<string, unknown>;
}

/** A provider's list, and where its API was found. */
export interface ProviderList {
  models: ProviderModel[];
  apiRoot: string;
}

export interface CompletionCall {
  connection: Target;
  /** The provider's own model id; replaces `body.model`. */
  model: string;
  /** The chat-completions request. */
  body: Record<string, unknown>;
  /** Cancels the call to the provider, also before its first byte. */
  signal: AbortSignal;
  outbound: Outbound;
  /** The function that answers, for models that are functions. */
  pipe?: PipeRun | undefined;
}

export interface EmbeddingCall {
  connection: Target;
  /** The provider's own model id; replaces `body.model`. */
  model: string;
  /** An embeddings request in OpenAI's format: `input` and its options. */
  body: Record<string, unknown>;
  signal: AbortSignal;
  outbound: Outbound;
}

/** A request in the Messages dialect, for native providers. */
export interface MessagesCall {
  connection: Target;
  /** The provider's own model id; replaces `body.model`. */
  model: string;
  /** The original body; only the model changes. */
  body: Record<string, unknown>;
  /** The caller's; only headers of the dialect are passed on: `anthropic-version`, `anthropic-beta`. */
  headers: Headers;
  /** Cancels the call to the provider, also before its first byte. */
  signal: AbortSignal;
  outbound: Outbound;
}

/** The driver of a kind of connection. */
export interface Driver {
  kind: DriverKind;
  /** @throws ProviderFailure with a message for people. */
  listModels(connection: Target, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<ProviderList>;
  /**
   * The provider's own answer to a chat-completions request with any status: the caller reads and repairs it. Rejects
   * with the runtime's error if there is no answer.
   */
  complete(call: CompletionCall): Promise<Response>;
  /**
   * The provider's own answer to an embeddings request with any status: OpenAI's `{data: [{index, embedding}]}` or a
   * local runtime's `{embeddings}`. Rejects like `complete`, and with AppError `bad_request` if embeddings are not
   * supported.
   */
  embed(call: EmbeddingCall): Promise<Response>;
  /** The provider's own answer to a Messages request, unchanged; native providers only. Rejects like `complete`. */
  messages?(call: MessagesCall): Promise<Response>;
  /** The provider's own token count of a Messages request, `{input_tokens}`, unchanged; together with `messages`. */
  countTokens?(call: MessagesCall): Promise<Response>;
}
