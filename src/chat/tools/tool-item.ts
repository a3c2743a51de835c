import * as z from "zod";

/** A whole result that was too long for the model; `size` in bytes. */
export const toolFile = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  content_type: z.string(),
  size: z.number(),
});

/**
 * One call of a tool, as the message keeps it and tabs are shown it (event `chat:tool`). `arguments` is what the model wrote;
 * `result` what it was told, cut where it was long; `at` the place in the message's text, in UTF-16 units; times in epoch
 * seconds. Calls of one `round` were made at the same time.
 */
export const toolItem = z.object({
  call_id: z.string(),
  name: z.string(),
  title: z.string(),
  source: z.object({ kind: z.enum(["plugin", "openapi", "mcp"]), id: z.string(), name: z.string() }).nullable(),
  arguments: z.string(),
  state: z.enum(["running", "done", "error"]),
  result: z.string().optional(),
  is_cut: z.boolean().optional(),
  file: toolFile.optional(),
  error: z.string().optional(),
  at: z.number(),
  round: z.number(),
  started_at: z.number(),
  ended_at: z.number().optional(),
});
export type ToolItem = z.infer<typeof toolItem>;
export type ToolFile = z.infer<typeof toolFile>;
