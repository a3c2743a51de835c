import type { AttachedTool } from "../../plugins/tool.ts";

/** A whole result that was too long for the model; `size` in bytes. */
export interface ToolFile {
  id: string;
  name: string;
  url: string;
  content_type: string;
  size: number;
}

/**
 * One call of a tool, as the message keeps it and tabs are shown it (event `chat:tool`). Calls of one `round` were made at the
 * same time.
 */
export interface ToolItem extends Record<string, unknown> {
  call_id: string;
  name: string;
  /** The name in words. */
  title: string;
  /** Null where there is no such tool. */
  source: AttachedTool["source"] | null;
  /** What the model wrote. */
  arguments: string;
  state: "running" | "done" | "error";
  /** What the model was told, cut where it was long. */
  result?: string;
  is_cut?: boolean;
  /** The whole of a result that is cut. */
  file?: ToolFile;
  error?: string;
  /** Place in the message's text, UTF-16 units. */
  at: number;
  round: number;
  /** Epoch seconds. */
  started_at: number;
  ended_at?: number;
}
