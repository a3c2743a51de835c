import type { PluginCapabilities } from "../../plugins/plugin-host.ts";
import type { ToolFile, ToolItem } from "./tool-item.ts";

/** The turn that an answer with tools is made in. */
export interface ToolTurn {
  /** Undefined outside stored chats. */
  chatId: string | undefined;
  messageId: string | undefined;
  sessionId: string | undefined;
  /** What tools may ask for. */
  capabilities: PluginCapabilities;
  /** Keeps the calls with the message and shows them; undefined where the answer is kept nowhere. */
  steps: ToolSteps | undefined;
  /**
   * How long the message's text is now, in UTF-16 units, what events wrote included; undefined where it is only what the
   * model has said in this answer.
   */
  position?: (() => number) | undefined;
}

/** Where the calls of a stored message are kept. Neither fails the caller. */
export interface ToolSteps {
  /** Takes the place of what was there of this call. */
  put(item: ToolItem): Promise<void>;
  /** Keeps a whole result. Undefined where that was not possible. */
  keep(callId: string, name: string, text: string): Promise<ToolFile | undefined>;
}
