import { isRecord } from "../../lib/json.ts";
import { estimateTexts, messageTokens, pictureTokens } from "../../usage/estimate-tokens.ts";
import type { CountRequest } from "./schema.ts";
import { type Block, blocksOf } from "./to-chat-parts.ts";

/** Characters that are tokenized: each costs half a microsecond. The rest is extrapolated. */
export const sampled = { exact: 262_144, quick: 4096 } as const;
/** Tokens of a page. */
const pageTokens = 2000;
/** Approximate base64 characters per page of a PDF. */
const pageLetters = 100_000;
/** Overhead per tool. */
const toolTokens = 12;

/**
 * Estimated tokens of the request: texts with a tokenizer's heuristics, tools by their descriptions, a fixed number for
 * each picture and page. Usually within a fifth of the provider's count.
 * @param budget characters of the texts to tokenize, see `sampled`
 */
export function estimateInput(request: CountRequest, budget: number): number {
  const texts: string[] = [];
  let tokens = 3;
  const addBlock = (block: Block): void => {
    const { type, text, thinking, input, name, content, source, title, context } = block;
    for (const each of [text, thinking, name, title, context]) if (typeof each === "string") texts.push(each);
    if (input !== undefined) texts.push(JSON.stringify(input));
    if (type === "image") tokens += pictureTokens;
    if (type === "document" && isRecord(source)) addSource(source);
    blocksOf(content).forEach(addBlock);
  };
  const addSource = ({ type, data, content }: Block): void => {
    if (type === "base64" && typeof data === "string") tokens += Math.ceil(data.length / pageLetters) * pageTokens;
    else if (typeof data === "string") texts.push(data);
    blocksOf(content).forEach(addBlock);
  };
  blocksOf(request.system).forEach(addBlock);
  for (const { content } of request.messages) {
    tokens += messageTokens;
    blocksOf(content).forEach(addBlock);
  }
  for (const { cache_control: _, ...tool } of request.tools ?? []) {
    tokens += toolTokens;
    texts.push(JSON.stringify(tool));
  }
  return tokens + estimateTexts(texts, budget);
}
