import * as z from "zod";

export const exportFormats = ["markdown", "text", "json"] as const;
export const exportQuery = z.object({ format: z.enum(exportFormats).default("markdown") });
export type ExportFormat = (typeof exportFormats)[number];

const count = z.number().int();

/** The result of an import. */
export const importReport = z.object({
  imported: count,
  messages: count,
  /** The first of them. */
  chats: z.array(z.object({ id: z.string(), title: z.string() })),
  /** Whether the file was complete; a truncated file is imported as far as it goes. */
  complete: z.boolean(),
  /** Chats that were left out, and why (the first of them). `position` counts from 1. */
  left_out: z.array(z.object({ position: count, title: z.string(), reason: z.string() })),
  left_out_count: count,
  /** What was changed or left out in the imported chats. */
  changes: z.object({
    /** Unreadable messages; their children were attached to their parents. */
    messages_left_out: count,
    /** Messages whose parent is missing, which became roots. */
    messages_moved: count,
    /** Files and pictures that do not exist for the caller. */
    files_left_out: count,
    /** Chats that were in folders which are not here, and whose names the file does not say. */
    folders_left_out: count,
  }),
});
export type ImportReport = z.infer<typeof importReport>;
