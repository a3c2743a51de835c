import * as z from "zod";
import { answers } from "../../http/json-route.ts";

export const base = "/api/v1/knowledge";
export const params = z.object({ id: z.string().min(1).max(100) });
export const directoryParams = params.extend({ dir_id: z.string().min(1).max(100) });
export const none = {
  403: { description: "The caller can read the knowledge base but not change it" },
  404: { description: "No such knowledge base, or no access to it" },
};
export const done = answers("Done", z.object({ status: z.literal(true) }));
