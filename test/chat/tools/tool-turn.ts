import type { ToolItem } from "../../../src/chat/tools/tool-item.ts";
import type { ToolTurn } from "../../../src/chat/tools/turn.ts";
import type { PluginCapabilities } from "../../../src/plugins/plugin-host.ts";
import type { AttachedTool, Attachment, ToolOutcome, ToolScope } from "../../../src/plugins/tool.ts";

/** A tool that does what it is told here. */
export function tool(
  name: string,
  call: (args: Record<string, unknown>, scope: ToolScope) => ToolOutcome | Promise<ToolOutcome>,
  parameters: Record<string, unknown> = { type: "object", properties: {} },
): AttachedTool {
  return {
    spec: { name, description: `Does ${name}`, parameters },
    source: { kind: "plugin", id: `plugin_${name}`, name: `Plugin ${name}` },
    call: async (args, scope) => call(args, scope),
  };
}

export const say = (content: string): ToolOutcome => ({ ok: true, content });

export function attach(...tools: AttachedTool[]): Attachment & { closed: number } {
  const attachment = {
    tools,
    notes: [],
    closed: 0,
    close() {
      attachment.closed += 1;
    },
  };
  return attachment;
}

export interface RecordedTurn extends ToolTurn {
  items: ToolItem[];
  kept: Map<string, string>;
  emitted: unknown[];
}

/** A turn that writes down what is kept of it. */
export function recordedTurn(isStored = true): RecordedTurn {
  const items: ToolItem[] = [];
  const kept = new Map<string, string>();
  const emitted: unknown[] = [];
  const capabilities: PluginCapabilities = {
    emit: async (event) => void emitted.push(event),
    call: () => Promise.reject(new Error("nobody is asked")),
    request: () => Promise.reject(new Error("nothing is asked for")),
  };
  return {
    items,
    kept,
    emitted,
    chatId: isStored ? "chat" : undefined,
    messageId: isStored ? "message" : undefined,
    sessionId: undefined,
    capabilities,
    capabilitiesOf: () => capabilities,
    steps: isStored
      ? {
          put: async (item) => void items.push(item),
          async keep(callId, name, text) {
            kept.set(callId, text);
            return {
              id: `file-${callId}`,
              name: `${name}.txt`,
              url: "/x",
              content_type: "text/plain",
              size: text.length,
            };
          },
        }
      : undefined,
  };
}
