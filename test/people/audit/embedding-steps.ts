import type { Step } from "./step.ts";

/** A model for the index, and the index built anew. */
export const embeddingSteps: Step[] = [
  {
    who: "admin",
    route: "POST /api/v1/auths/admin/config",
    actions: ["settings.updated"],
    body: () => ({ RAG_EMBEDDING_MODEL: "tiny-embed" }),
  },
  { who: "admin", route: "POST /api/v1/retrieval/embedding/rebuild", actions: ["index.rebuilt"] },
];
