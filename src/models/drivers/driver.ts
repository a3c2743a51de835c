import type { Outbound } from "../../ports.ts";
import type { Connection } from "../connections/connection.ts";
import type { ConnectionKind } from "../connections/schema.ts";
import type { PipeRun } from "./function-model/complete-pipe.ts";

/** `function` models are part of the service and need no connection. */
export type DriverKind = ConnectionKind | "function";

/** What a driver has to know of a connection to call it. */
export type Target = Pick<Connection, "baseUrl" | "apiRoot" | "key" | "headers">;

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

/** A provider's list and where its API was found. */
export interface ProviderList {
  models: ProviderModel[];
  apiRoot: string;
}

export interface CompletionCall {
  connection: Target;
  /** The provider's own model id; takes the place of `body.model`. */
  model: string;
  /** The chat-completions request. */
  body: Record<string, unknown>;
  /** Ends the call to the provider, also before its first byte. */
  signal: AbortSignal;
  outbound: Outbound;
  /** The function that answers, for models that are functions. */
  pipe?: PipeRun | undefined;
}

export interface EmbeddingCall {
  connection: Target;
  /** The provider's own model id; takes the place of `body.model`. */
  model: string;
  /** An embeddings request in OpenAI's shape: `input` and what goes with it. */
  body: Record<string, unknown>;
  signal: AbortSignal;
  outbound: Outbound;
}

/** A request in the Messages dialect, for providers whose own dialect it is. */
export interface MessagesCall {
  connection: Target;
  /** The provider's own model id; takes the place of `body.model`. */
  model: string;
  /** The body as it came; nothing but the model changes. */
  body: Record<string, unknown>;
  /** The caller's; only what belongs to the dialect goes on: `anthropic-version`, `anthropic-beta`. */
  headers: Headers;
  /** Ends the call to the provider, also before its first byte. */
  signal: AbortSignal;
  outbound: Outbound;
}

/** What a kind of connection has to be able to do. */
export interface Driver {
  kind: DriverKind;
  /** @throws ProviderFailure that says why in words for people. */
  listModels(connection: Target, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<ProviderList>;
  /**
   * The provider's own answer to a chat-completions request, whatever its status: reading, repairing and wording are the
   * caller's. Rejects with the runtime's error where there is no answer at all.
   */
  complete(call: CompletionCall): Promise<Response>;
  /**
   * The provider's own answer to an embeddings request, whatever its status: OpenAI's `{data: [{index, embedding}]}` or a local
   * runtime's `{embeddings}`. Rejects as `complete` does, and with AppError `bad_request` where models make no embeddings.
   */
  embed(call: EmbeddingCall): Promise<Response>;
  /** The provider's own answer to a Messages request, untouched; only where the dialect is its own. Rejects as `complete` does. */
  messages?(call: MessagesCall): Promise<Response>;
  /** The provider's own count of a Messages request's tokens, `{input_tokens}`, untouched; with `messages`. */
  countTokens?(call: MessagesCall): Promise<Response>;
}
