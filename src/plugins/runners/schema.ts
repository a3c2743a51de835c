import * as z from "zod";

/** A native runner. What it says of itself is null where it does not answer. */
export const runnerView = z.object({
  address: z.string(),
  /** False where plugins are set to run there, but RUNNERS does not name it any more. */
  attached: z.boolean(),
  /**
   * Why nothing runs there: `unreachable`; `token`: it has another RUNNER_TOKEN; `answer`: it is no runner, or ill;
   * `protocol`: it is another version; `detached`. Null: it is ready.
   */
  problem: z.enum(["unreachable", "token", "answer", "protocol", "detached"]).nullable(),
  /** Of the answer, where that is the problem. */
  status: z.number().int().nullable(),
  python: z.string().nullable(),
  processes: z.number().int().nullable(),
  max_processes: z.number().int().nullable(),
  /** Bytes of data that a process may have. */
  memory: z.number().int().nullable(),
  /** Whether plugins reach the network only through the guarded proxy. */
  network_wall: z.boolean().nullable(),
  network_wall_reason: z.string().nullable(),
  /** Installed in its Python. */
  packages: z.array(z.object({ name: z.string(), version: z.string() })),
  plugins: z.array(z.object({ family: z.enum(["function", "tool"]), id: z.string(), name: z.string() })),
});
export type RunnerView = z.infer<typeof runnerView>;
