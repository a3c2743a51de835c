import type { ChunkOptions, ExtractOptions } from "../../src/documents/files/extraction/extractor.ts";
import { chunkText } from "./chunk-text.ts";
import { clusterVectors } from "./cluster-vectors.ts";
import { extract } from "./extract.ts";
import { toLines } from "./to-lines.ts";

/**
 * The extractor: documents in, text out. It has no bindings at all: whatever a document does to it, there is nothing to take.
 * Only the service calls it, see extractor-client.ts: options come in a header, answers go as a JSON document in each line.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/ping") return new Response("ok");
    const options: unknown = JSON.parse(decodeURIComponent(request.headers.get("x-options") ?? "null"));
    const body = request.body ?? new Response("").body!;
    if (pathname === "/extract") return answer(extract(body, options as ExtractOptions));
    if (pathname === "/chunk") return answer(chunkText(body, options as ChunkOptions));
    if (pathname === "/cluster") {
      const { dimension, count } = options as { dimension: number; count: number };
      return new Response(clusterVectors(new Uint8Array(await new Response(body).arrayBuffer()), dimension, count));
    }
    return new Response("unknown", { status: 404 });
  },
};

function answer(lines: AsyncIterable<unknown>): Response {
  return new Response(toLines(lines), { headers: { "content-type": "application/x-ndjson" } });
}
