import { isRecord } from "../../lib/json.ts";
import type { Item } from "./to-parts.ts";

/** A chat completion's log probabilities in the Responses format: one for each token. */
export function logprobsOf(logprobs: unknown): Item[] {
  const tokens = isRecord(logprobs) ? logprobs["content"] : undefined;
  if (!Array.isArray(tokens)) return noLogprobs;
  return tokens.filter(isRecord).map((token) => ({
    ...probability(token),
    top_logprobs: Array.isArray(token["top_logprobs"]) ? token["top_logprobs"].filter(isRecord).map(probability) : [],
  }));
}

const noLogprobs: Item[] = [];

function probability({ token, logprob, bytes }: Item): Item {
  return { token, logprob, bytes: Array.isArray(bytes) ? bytes : [] };
}

/** A citation of a chat completion in the Responses format; others are dropped. */
export function annotationOf(annotation: unknown): Item[] {
  if (!isRecord(annotation)) return [];
  const { type, url_citation: cited } = annotation;
  return type === "url_citation" && isRecord(cited) ? [{ type, ...cited }] : [];
}
