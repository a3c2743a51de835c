import type { AttachedTool } from "../../plugins/tool.ts";

/** A full result that was too long for the model; `size` in bytes. */
export interface ToolFile {
  id: string;
  name: string;
  url: string;
  content_type: string;
  size: number;
}

/**
 * One tool call as stored in the message and shown in tabs (event `chat:tool`). Calls of one `round` were made in
 * parallel.
 */
export interface ToolItem extends Record<string, unknown> {
  call_id: string;
  name: string;
  /** The name for people. */
  title: string;
  /** Null if there is no such tool. */
  source: AttachedTool["source"] | null;
  /** The model's arguments. */
  arguments: string;
  state: "running" | "done" | "error";
  /** The result for the model, truncated if long. */
  result?: string;
  is_cut?: boolean;
  /** The full result, if it was truncated. */
  file?: ToolFile;
  error?: string;
  /** Position in the message's text, UTF-16 units. */
  at: number;
  round: number;
  /** Epoch seconds. */
  started_at: number;
  ended_at?: number;
}
