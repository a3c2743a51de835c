/** What the shared script asks of a client, whatever the client calls it. */
export interface ChatClient {
  name: string;
  /** Ids of the models; undefined where the client cannot list any. */
  list: (() => Promise<string[]>) | undefined;
  ask(question: ChatQuestion): Promise<ChatAnswer>;
  /** The same as a stream, put together by the client. */
  stream(question: ChatQuestion): Promise<ChatAnswer>;
  /** Begins a stream and leaves after its first words; resolves when the client says that it has left. */
  leave(question: ChatQuestion): Promise<void>;
  /** An answer that fits the schema. */
  structured(question: ChatQuestion, schema: Record<string, unknown>): Promise<unknown>;
  /** Status of an error as the client has it, and whether it is one that it asks again after. */
  statusOf(error: unknown): number | undefined;
}

export type ChatMessage =
  | { role: "user"; text: string; picture?: { type: string; base64: string } }
  | { role: "assistant"; calls: ChatCall[] }
  | { role: "tool"; call: ChatCall; result: string };

export interface ChatQuestion {
  model: string;
  messages: ChatMessage[];
  tools?: ChatTool[];
  /** The model is to think first. */
  reasoning?: boolean;
}

export interface ChatTool {
  name: string;
  parameters: Record<string, unknown>;
}

export interface ChatCall {
  id: string;
  name: string;
  arguments: unknown;
}

export interface ChatAnswer {
  text: string;
  /** Undefined where the client shows none. */
  reasoning: string | undefined;
  calls: ChatCall[];
  finish: string | undefined;
  tokens: { input: number | undefined; output: number | undefined };
  /** How many pieces of text came; 1 for whole answers. */
  pieces: number;
}

/** How a client reaches the service. */
export interface ClientAddress {
  baseUrl: string;
  token: string;
}
