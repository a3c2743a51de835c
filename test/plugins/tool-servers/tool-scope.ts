import type { PluginCapabilities } from "../../../src/plugins/plugin-host.ts";
import type { ToolScope } from "../../../src/plugins/tool.ts";

/** The turn that a tool is called in, with what it emits. */
export function toolScope(values: Partial<ToolScope> = {}): ToolScope & { emitted: unknown[] } {
  const emitted: unknown[] = [];
  const capabilities: PluginCapabilities = {
    emit: async (event) => void emitted.push(event),
    call: () => Promise.reject(new Error("nobody is there")),
    request: () => Promise.reject(new Error("not here")),
  };
  return {
    callId: "call-1",
    chatId: "chat-1",
    messageId: "message-1",
    sessionId: undefined,
    model: "tide",
    messages: [],
    capabilities,
    capabilitiesOf: () => capabilities,
    signal: new AbortController().signal,
    ...values,
    emitted,
  };
}
