import type { PluginCapabilities } from "../../plugins/plugin-host.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import type { ToolFile, ToolItem } from "./tool-item.ts";

/** The turn that an answer with tools is made in. */
export interface ToolTurn {
  /** Undefined outside stored chats. */
  chatId: string | undefined;
  messageId: string | undefined;
  sessionId: string | undefined;
  capabilities: PluginCapabilities;
  /** @param signal cancels its requests; the turn's own without it */
  capabilitiesOf(plugin: PluginEntry, signal?: AbortSignal): PluginCapabilities;
  /** Stores and shows the calls; undefined if the answer is not stored. */
  steps: ToolSteps | undefined;
  /**
   * Current length of the message's text in UTF-16 units, including text from events; undefined if only the model's
   * text counts.
   */
  position?: (() => number) | undefined;
}

/** Stores the calls of a message. Its methods never fail. */
export interface ToolSteps {
  /** Replaces the stored state of this call. */
  put(item: ToolItem): Promise<void>;
  /** Stores a full result. Undefined if that failed. */
  keep(callId: string, name: string, text: string): Promise<ToolFile | undefined>;
}
