/**
 * The extractor: documents in, text out. It has no bindings at all: whatever a document does to it, there is nothing to take.
 */
export default {
  async fetch(_request: Request): Promise<Response> {
    return new Response("unknown", { status: 404 });
  },
};
