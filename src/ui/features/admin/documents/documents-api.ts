import type { RetrievalStatus } from "../../../../documents/retrieval/embedding/schema.ts";
import { api } from "../../../lib/api.ts";

export type { RetrievalStatus };

export const loadStatus = (signal: AbortSignal): Promise<RetrievalStatus> =>
  api("GET", "/api/v1/retrieval/status", { signal });
