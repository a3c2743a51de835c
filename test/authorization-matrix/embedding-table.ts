import { ownerOrSystemAdmin, systemAdmin, type Row } from "./cells.ts";

const embeddings: Row = {
  ids: { model: "model" },
  say: ({ model }) => ({ json: { model, input: "Ahoy" } }),
  may: ownerOrSystemAdmin,
};

/** Vectors, and how their index stands. */
export const embeddingTable: Readonly<Record<string, Row>> = {
  "POST /api/embeddings": embeddings,
  "POST /api/v1/embeddings": embeddings,
  "GET /api/v1/retrieval/status": { may: systemAdmin },
  // No model is chosen here: there is nothing to build.
  "POST /api/v1/retrieval/embedding/rebuild": { may: (cell) => (systemAdmin(cell) === "ok" ? 409 : 403) },
};
