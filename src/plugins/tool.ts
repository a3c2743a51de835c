import type { PluginCapabilities, ToolSpec } from "./plugin-host.ts";
import type { PluginEntry } from "./plugin-index.ts";

/** A tool that the service calls for a model: from a plugin, an OpenAPI server or an MCP server, or its own. */
export interface AttachedTool {
  /** As the model is told it: unique within a turn, `[a-zA-Z0-9_-]{1,64}`. */
  spec: ToolSpec;
  /** For people: whose tool it is. */
  source: { kind: "plugin" | "openapi" | "mcp" | "built-in"; id: string; name: string };
  /** Never throws: what goes wrong is told to the model. */
  call(args: Record<string, unknown>, scope: ToolScope): Promise<ToolOutcome>;
}

/** The turn that a tool is called in. */
export interface ToolScope {
  callId: string;
  /** Undefined outside stored chats. */
  chatId: string | undefined;
  messageId: string | undefined;
  sessionId: string | undefined;
  model: string;
  messages: readonly Record<string, unknown>[];
  /** Those of the service itself. */
  capabilities: PluginCapabilities;
  /** Those of a plugin. @param signal cancels its requests; the turn's own without it */
  capabilitiesOf(plugin: PluginEntry, signal?: AbortSignal): PluginCapabilities;
  signal: AbortSignal;
}

/** `content` is the complete result for the model: the loop truncates it. */
export type ToolOutcome =
  | { ok: true; content: string; sources?: Record<string, unknown>[]; files?: Record<string, unknown>[] }
  | { ok: false; message: string };

/** What is attached for a turn; `notes` say for people what is missing (a server is down, a sign-in is needed). */
export interface Attachment {
  tools: AttachedTool[];
  notes: string[];
  /** Lets go of what was opened. */
  close(): void;
}
