import type { IncomingMessage, ServerResponse } from "node:http";
import { isRecord } from "../../../../src/lib/json.ts";
import { answering, listing, startProvider, type Behaviour, type Provider } from "../../../models/provider.ts";

export interface EmbeddingProvider extends Provider {
  /** Texts of each embeddings request so far, whatever was answered. */
  asked: string[][];
  /** Texts that were embedded, one after the other. */
  embedded: string[];
  /** What the next requests for embeddings meet, one each; after them it answers as it should. */
  next(...behaviours: Behaviour[]): void;
  /** What all of them meet from now on; undefined: it answers as it should. */
  always(behaviour: Behaviour | undefined): void;
  dimension: number;
}

/** A vector that says of which text it is: words in common make it similar. */
export function vectorOf(text: string, dimension = 8): number[] {
  const vector = Array.from({ length: dimension }, () => 0.01);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.codePointAt(0)!) % 1009;
    vector[hash % dimension]! += 1;
  }
  return vector;
}

export function listOf(vectors: unknown[], model = "tiny-embed"): string {
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  return JSON.stringify({ object: "list", data, model, usage: { prompt_tokens: 3, total_tokens: 3 } });
}

/** A provider of embeddings (`tiny-embed` and `other-embed`) under the test's control. */
export async function startEmbeddings(): Promise<EmbeddingProvider> {
  const asked: string[][] = [];
  const embedded: string[] = [];
  const queue: Behaviour[] = [];
  let constant: Behaviour | undefined;
  const provider = await startProvider((request, response) => answer(request, response));
  const result: EmbeddingProvider = {
    ...provider,
    asked,
    embedded,
    dimension: 8,
    next: (...behaviours) => void queue.push(...behaviours),
    always: (behaviour) => void (constant = behaviour),
  };
  const list = listing("tiny-embed", "other-embed");
  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.url !== "/v1/embeddings") return list(request, response);
    const body: unknown = JSON.parse(provider.bodies.at(-1)!);
    const texts = isRecord(body) && Array.isArray(body["input"]) ? (body["input"] as string[]) : [];
    asked.push(texts);
    const behaviour = queue.shift() ?? constant;
    if (behaviour) return behaviour(request, response);
    embedded.push(...texts);
    answering(200, listOf(texts.map((text) => vectorOf(text, result.dimension))))(request, response);
  }
  return result;
}

/** An error as OpenAI says it. */
export function refusing(status: number, message: string, headers: Record<string, string> = {}): Behaviour {
  return answering(status, JSON.stringify({ error: { message, type: "error", code: null } }), headers);
}
