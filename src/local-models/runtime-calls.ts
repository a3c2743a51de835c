/** Where the runtimes are; both are the same thing. The second is the peer's. */
export const proxyBases = ["/localmodel", "/ollama"] as const;

/** Whether the path is the proxy's. */
export function isProxied(path: string): boolean {
  return proxyBases.some((base) => path === base || path.startsWith(`${base}/`));
}

/**
 * What a call does: `list` is put together from all runtimes; `use` asks one model, which the body names, and is for everyone who
 * may use it; `manage` changes what a runtime holds and is for administrators.
 */
export type CallKind = "list" | "use" | "manage";

export interface RuntimeCall {
  method: "GET" | "POST" | "DELETE";
  /** Below the base. */
  path: string;
  kind: CallKind;
  summary: string;
}

/**
 * The calls of runtimes that are known here (https://docs.ollama.com/api, and what llama.cpp, vLLM and others have beside it). All
 * others go through too, for administrators: whoever may call what nobody here knows could do anything to a runtime.
 */
export const runtimeCalls: readonly RuntimeCall[] = [
  { method: "GET", path: "/api/tags", kind: "list", summary: "Models of all local runtimes" },
  { method: "GET", path: "/api/ps", kind: "list", summary: "Models that are loaded" },
  { method: "GET", path: "/api/version", kind: "list", summary: "The oldest version among the runtimes" },
  { method: "GET", path: "/v1/models", kind: "list", summary: "Models of all local runtimes, in OpenAI's format" },
  { method: "POST", path: "/api/generate", kind: "use", summary: "Completion" },
  { method: "POST", path: "/api/chat", kind: "use", summary: "Chat" },
  { method: "POST", path: "/api/embed", kind: "use", summary: "Embeddings" },
  { method: "POST", path: "/api/embeddings", kind: "use", summary: "Embedding of one text" },
  { method: "POST", path: "/api/show", kind: "use", summary: "Details of a model" },
  { method: "POST", path: "/v1/chat/completions", kind: "use", summary: "Chat, in OpenAI's format" },
  { method: "POST", path: "/v1/completions", kind: "use", summary: "Completion, in OpenAI's format" },
  { method: "POST", path: "/v1/embeddings", kind: "use", summary: "Embeddings, in OpenAI's format" },
  { method: "POST", path: "/v1/responses", kind: "use", summary: "Responses API" },
  { method: "POST", path: "/v1/messages", kind: "use", summary: "Messages API" },
  { method: "POST", path: "/v1/messages/count_tokens", kind: "use", summary: "Count the tokens of a Messages request" },
  { method: "POST", path: "/v1/rerank", kind: "use", summary: "Rank texts by their relevance to a question" },
  { method: "POST", path: "/v1/audio/speech", kind: "use", summary: "Speech" },
  { method: "POST", path: "/v1/images/generations", kind: "use", summary: "Pictures" },
  { method: "POST", path: "/api/pull", kind: "manage", summary: "Download a model (administrators)" },
  { method: "POST", path: "/api/push", kind: "manage", summary: "Publish a model (administrators)" },
  // The peer's clients know it so.
  { method: "DELETE", path: "/api/push", kind: "manage", summary: "Publish a model (administrators)" },
  { method: "POST", path: "/api/create", kind: "manage", summary: "Create a model from another one (administrators)" },
  { method: "POST", path: "/api/copy", kind: "manage", summary: "Copy a model (administrators)" },
  { method: "DELETE", path: "/api/delete", kind: "manage", summary: "Delete a model (administrators)" },
  { method: "POST", path: "/api/unload", kind: "manage", summary: "Unload a model from memory (administrators)" },
];

/** @param method a HEAD is a GET */
export function findCall(method: string, path: string): RuntimeCall | undefined {
  const meant = method === "HEAD" ? "GET" : method;
  return runtimeCalls.find((call) => call.method === meant && call.path === path);
}
