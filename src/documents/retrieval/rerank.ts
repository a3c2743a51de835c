import * as z from "zod";
import type { Context } from "../../context.ts";
import { tryParseJson } from "../../lib/json.ts";
import type { Hit } from "./search.ts";

/** Milliseconds: somebody waits for the answer. */
const timeoutMs = 15_000;
/** Passages that are sent at most. */
const maxPassages = 100;

const entry = z
  .object({ index: z.number().int().min(0), relevance_score: z.number().optional(), score: z.number().optional() })
  .transform(({ index, relevance_score: relevance, score }) => ({ index, score: relevance ?? score ?? Number.NaN }));
const list = z.array(entry);
/** As Cohere, Jina and others have it; `data` as Voyage has it; a bare list as Hugging Face has it. */
const answer = z.union([
  z.object({ results: list }).transform(({ results }) => results),
  z.object({ data: list }).transform(({ data }) => data),
  list,
]);

/** What went wrong, in words for people; never with the key in it. */
export class RerankFailure extends Error {
  override name = "RerankFailure";
}

/**
 * The hits in the order of the model behind RAG_RERANKING_URL, with its scores; those it says nothing of come after, as they were.
 * @throws RerankFailure
 */
export async function rerank(
  { settings, outbound }: Pick<Context, "settings" | "outbound">,
  {
    query,
    hits,
    count,
    signal,
  }: { query: string; hits: readonly Hit[]; count: number; signal: AbortSignal | undefined },
): Promise<Hit[]> {
  const { RAG_RERANKING_URL: url, RAG_RERANKING_MODEL: model, RAG_RERANKING_API_KEY: key } = settings;
  const sent = hits.slice(0, Math.max(maxPassages, count));
  const time = AbortSignal.timeout(timeoutMs);
  const response = await outbound
    .trusted(url, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json", ...(key === "" ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({
        ...(model === "" ? {} : { model }),
        query,
        documents: sent.map(({ text, headings }) => [headings.join(" > "), text].filter(Boolean).join("\n")),
        top_n: Math.min(count, sent.length),
      }),
      signal: signal ? AbortSignal.any([signal, time]) : time,
    })
    .catch((cause: unknown) => {
      const reason = time.aborted ? `did not answer within ${timeoutMs / 1000} s` : "could not be reached";
      throw new RerankFailure(`The reranker ${reason}`, { cause });
    });
  if (!response.ok) {
    await response.body?.cancel();
    throw new RerankFailure(`The reranker returned status ${response.status}`);
  }
  const read = answer.safeParse(await readAnswer(response));
  if (!read.success) throw new RerankFailure("The reranker's answer has no scores");
  const scored = new Map<Hit, number>();
  for (const { index, score } of read.data) {
    const hit = sent[index];
    if (!hit || !Number.isFinite(score)) throw new RerankFailure("The reranker's answer has no scores");
    scored.set(hit, score);
  }
  const scale = [...scored.values()].every((score) => score >= 0 && score <= 1) ? (score: number) => score : logistic;
  const ranked = [...scored].map(([hit, score]) => ({ ...hit, score: scale(score) })).sort((a, b) => b.score - a.score);
  const last = ranked.at(-1)?.score ?? 1;
  const rest = hits.filter((hit) => !scored.has(hit)).map((hit) => ({ ...hit, score: hit.score * last }));
  return [...ranked, ...rest];
}

/** Bytes: a list of numbers is far smaller. */
const maxAnswerBytes = 1_000_000;

/** Undefined for what is no JSON, or too much. */
async function readAnswer(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > maxAnswerBytes) return undefined;
    parts.push(part);
  }
  return tryParseJson(await new Blob(parts as Uint8Array<ArrayBuffer>[]).text());
}

/** Some models give logits. */
function logistic(score: number): number {
  return 1 / (1 + Math.exp(-score));
}
