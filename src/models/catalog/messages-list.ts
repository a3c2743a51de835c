import type { ModelEntry } from "./schema.ts";

/** Paging of models in the Messages API (https://docs.anthropic.com/en/api/models-list). */
export interface MessagesPaging {
  limit: number;
  afterId?: string | undefined;
  beforeId?: string | undefined;
}

/** Clients of the Messages API send its version with every request; other clients do not. */
export function isMessagesClient(headers: Headers): boolean {
  return headers.has("anthropic-version");
}

/** A model in the format of that API. Unknown values are null. */
export function messagesModel({ id, name, created }: ModelEntry) {
  return {
    type: "model" as const,
    id,
    display_name: name,
    created_at: new Date(created * 1000).toISOString().replace(".000Z", "Z"),
    lifecycle: "active" as const,
    line: null,
    capabilities: null,
    max_input_tokens: null,
    max_tokens: null,
    deprecated_at: null,
    retires_at: null,
  };
}

/** One page of the list. An unknown id starts at the beginning. */
export function messagesList(models: readonly ModelEntry[], { limit, afterId, beforeId }: MessagesPaging) {
  const after = models.findIndex(({ id }) => id === afterId) + 1;
  const before = models.findIndex(({ id }) => id === beforeId);
  const range = before === -1 ? models.slice(after) : models.slice(Math.max(0, before - limit), before);
  const page = range.slice(0, limit);
  return {
    data: page.map(messagesModel),
    has_more: before === -1 ? range.length > limit : before > limit,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}
