import { estimateTokenCount } from "tokenx";
import { isRecord } from "../../lib/json.ts";
import type { CountRequest } from "./schema.ts";
import { type Block, blocksOf } from "./to-chat-parts.ts";

/** Letters that are really looked at: counting costs half a microsecond each. What is beyond is taken to be like them. */
export const sampled = { exact: 262_144, quick: 4096 } as const;
/** What a model reads of a picture of usual size (about a megapixel), and of a page. */
const pictureTokens = 1400;
const pageTokens = 2000;
/** Base64 letters of a PDF's page, by and large. */
const pageLetters = 100_000;
/** What stands around each message, and around each tool. */
const messageTokens = 4;
const toolTokens = 12;

/**
 * About how many tokens the request is for a model: its texts with a tokenizer's rules of thumb, tools as they are described, a usual
 * number for each picture and page. Mostly within a fifth of what providers count.
 * @param budget letters of the texts to look at, see `sampled`
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

/** The same share is looked at of each text, in its middle; long ones are none of them passed over. */
function estimateTexts(texts: readonly string[], budget: number): number {
  const letters = texts.reduce((sum, { length }) => sum + length, 0);
  const share = Math.min(1, budget / Math.max(1, letters));
  let looked = 0;
  let tokens = 0;
  for (const text of texts) {
    const length = share === 1 ? text.length : Math.floor(text.length * share);
    const start = Math.floor((text.length - length) / 2);
    tokens += length === 0 ? 0 : estimateTokenCount(text.slice(start, start + length));
    looked += length;
  }
  return Math.round(looked === 0 ? letters / 4 : (tokens / looked) * letters);
}
