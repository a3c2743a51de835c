import type { EdgeModels } from "../../../ports.ts";
import type { EmbeddingModel } from "./ask-embeddings.ts";

/** What ids of the platform's own models begin with. */
const edgePrefix = "@cf/";

/**
 * Its errors by their numbers (developers.cloudflare.com/workers-ai/platform/errors), as the statuses that they stand for. All
 * others pass.
 */
const statusOf: Readonly<Record<string, number>> = {
  3003: 400,
  3006: 413,
  3007: 408,
  3008: 408,
  3023: 403,
  3036: 429,
  3040: 429,
  3041: 403,
  3042: 404,
  5004: 400,
  // "No such model": it answers 400 for that too, and no shorter text would help.
  5007: 404,
  5016: 403,
  5018: 403,
};

/** A model of the platform that the service runs on, for the index; undefined where the id is none, or nothing is bound. */
export function edgeModel(models: EdgeModels | undefined, id: string): EmbeddingModel | undefined {
  if (!models || !id.startsWith(edgePrefix)) return undefined;
  return {
    id,
    kind: "openai",
    upstreamId: id,
    connection: { id: "edge", baseUrl: "", key: undefined, headers: {} },
    secrets: [],
    driver: {
      async embed({ model, body }) {
        try {
          return Response.json({ embeddings: await models.embed(model, body["input"] as string[]) });
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          const status = statusOf[/^(?:\w+: )?(\d{4})\b/.exec(message)?.[1] ?? ""] ?? 502;
          return Response.json({ error: { message } }, { status });
        }
      },
    },
  };
}
