import * as z from "zod";

/** Longest code, in UTF-16 units. */
export const maxCodeLength = 200_000;

/** Code to run, as Open WebUI's clients send it (`code`), with what it may read. */
export const codeForm = z.object({
  code: z.string().max(maxCodeLength),
  /** Ids of files that the caller may read; the code finds them by their names. */
  files: z.array(z.string().min(1).max(100)).max(20).optional(),
  /** Output as it comes, as server-sent events. */
  stream: z.boolean().optional(),
});
export type CodeForm = z.infer<typeof codeForm>;

/** A file that the code wrote. It is kept nowhere. */
export const writtenFile = z.object({
  name: z.string(),
  content_type: z.string(),
  /** In bytes. */
  size: z.number().int(),
  base64: z.string(),
});
export type WrittenFile = z.infer<typeof writtenFile>;

/** Why the code ended early. */
export const codeError = z.object({
  /** The exception's class, or `timeout`, `stopped`, `paused`, `unavailable`. */
  name: z.string(),
  message: z.string(),
  /** In the code, counted from 1. */
  line: z.number().int().nullable(),
  traceback: z.string(),
});

/** What came of a run: the first three as Open WebUI answers. */
export const codeRun = z.object({
  stdout: z.string(),
  stderr: z.string(),
  /** The value of the last line, if that is an expression; otherwise empty. */
  result: z.string(),
  error: codeError.nullable(),
  files: z.array(writtenFile),
  /** Files that were too large, or too many, to be passed on. */
  left_out: z.array(z.string()),
  duration_ms: z.number(),
});
export type CodeRun = z.infer<typeof codeRun>;

/** A piece of what is printed. */
export const codeOutput = z.object({
  type: z.literal("output"),
  stream: z.enum(["stdout", "stderr"]),
  text: z.string(),
});
export type CodeOutput = z.infer<typeof codeOutput>;
