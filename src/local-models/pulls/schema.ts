import * as z from "zod";

export const pullStates = ["running", "done", "failed", "stopped"] as const;

/** A model that a runtime fetches, or has fetched. */
export const pullView = z.object({
  id: z.string(),
  /** Of the runtime. */
  connection_id: z.string(),
  /** As the runtime knows it, without the connection's prefix. */
  model: z.string(),
  state: z.enum(pullStates),
  /** The runtime's own word for what it is at. */
  status: z.string(),
  /** Bytes; 0 as long as nobody knows. */
  completed: z.number().int(),
  total: z.number().int(),
  /** Why it failed, for people. */
  error: z.string().nullable(),
  /** Epoch seconds. */
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type PullView = z.infer<typeof pullView>;

export const newPull = z.object({
  connection_id: z.string().min(1).max(100),
  model: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .regex(/^[\w.:/@-]+$/, "A model name can have letters, digits, dots, dashes, slashes and a colon"),
});
export type NewPull = z.infer<typeof newPull>;
