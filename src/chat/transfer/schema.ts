import * as z from "zod";

export const exportFormats = ["markdown", "text", "json"] as const;
export const exportQuery = z.object({ format: z.enum(exportFormats).default("markdown") });
export type ExportFormat = (typeof exportFormats)[number];

const count = z.number().int();

/** What came of a file of chats. */
export const importReport = z.object({
  imported: count,
  messages: count,
  /** The first of them. */
  chats: z.array(z.object({ id: z.string(), title: z.string() })),
  /** Whether the file was whole; one that ends in the middle has its beginning imported. */
  complete: z.boolean(),
  /** Chats that could not be taken, and why; the first of them. `position` counts from 1. */
  left_out: z.array(z.object({ position: count, title: z.string(), reason: z.string() })),
  left_out_count: count,
  /** What is missing or other in the chats that were taken. */
  changes: z.object({
    /** Messages that could not be read; what followed on them follows on what came before. */
    messages_left_out: count,
    /** Messages that follow on nothing any more, and begin branches of their own. */
    messages_moved: count,
    /** Files and pictures that an export only names, and that are not here for the caller. */
    files_left_out: count,
    /** Chats that lay in folders. */
    folders_left_out: count,
  }),
});
export type ImportReport = z.infer<typeof importReport>;
