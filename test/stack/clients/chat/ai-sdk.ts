import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, jsonSchema, type ModelMessage, Output, streamText, tool, type ToolSet } from "ai";
import type { ChatAnswer, ChatCall, ChatClient, ChatMessage, ChatQuestion, ClientAddress } from "./chat-client.ts";

/** The AI SDK with its provider for OpenAI-compatible APIs. */
export function aiSdkClient({ baseUrl, token }: ClientAddress): ChatClient {
  const provider = createOpenAICompatible({
    name: "parley",
    baseURL: baseUrl,
    apiKey: token,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });

  function requestOf({ model, messages, tools = [], reasoning }: ChatQuestion) {
    const offered: ToolSet = Object.fromEntries(
      tools.map(({ name, parameters }) => [name, tool({ inputSchema: jsonSchema(parameters) })]),
    );
    return {
      model: provider.chatModel(model),
      messages: messages.map(messageOf),
      maxRetries: 0,
      ...(tools.length > 0 ? { tools: offered } : {}),
      ...(reasoning ? { providerOptions: { parley: { reasoningEffort: "low" } } } : {}),
    };
  }

  return {
    name: "AI SDK",
    list: undefined,
    ask: async (question) => {
      const made = await generateText(requestOf(question));
      const { text, reasoningText, toolCalls, finishReason, usage } = made;
      return answerOf({ text, reasoningText, toolCalls, finishReason, usage, pieces: 1 });
    },
    stream: async (question) => {
      let failure: unknown;
      const made = streamText({ ...requestOf(question), onError: ({ error }) => void (failure = error) });
      let pieces = 0;
      for await (const _ of made.textStream) pieces++;
      if (failure !== undefined) throw failure as Error;
      return answerOf({
        text: await made.text,
        reasoningText: await made.reasoningText,
        toolCalls: await made.toolCalls,
        finishReason: await made.finishReason,
        usage: await made.usage,
        pieces,
      });
    },
    async leave(question) {
      const abort = new AbortController();
      let hasLeft = false;
      const made = streamText({
        ...requestOf(question),
        abortSignal: abort.signal,
        onAbort: () => void (hasLeft = true),
      });
      for await (const piece of made.textStream) if (piece !== "") abort.abort();
      if (!hasLeft) throw new Error("the client did not leave");
    },
    async structured(question, schema) {
      const made = await generateText({
        ...requestOf(question),
        output: Output.object({ schema: jsonSchema(schema) }),
      });
      return made.output;
    },
    statusOf: (error) => (APICallError.isInstance(error) ? error.statusCode : undefined),
  };
}

function messageOf(message: ChatMessage): ModelMessage {
  if (message.role === "assistant") return { role: "assistant", content: message.calls.map(callPart) };
  if (message.role === "tool") {
    const { call, result } = message;
    const output = { type: "text" as const, value: result };
    return { role: "tool", content: [{ type: "tool-result", toolCallId: call.id, toolName: call.name, output }] };
  }
  const { text, picture } = message;
  if (!picture) return { role: "user", content: text };
  return {
    role: "user",
    content: [
      { type: "text", text },
      { type: "file", data: picture.base64, mediaType: picture.type },
    ],
  };
}

const callPart = ({ id, name, arguments: input }: ChatCall) => ({
  type: "tool-call" as const,
  toolCallId: id,
  toolName: name,
  input,
});

interface Made {
  text: string;
  reasoningText: string | undefined;
  toolCalls: readonly { toolCallId: string; toolName: string; input: unknown }[];
  finishReason: string;
  usage: { inputTokens: number | undefined; outputTokens: number | undefined };
  pieces: number;
}

function answerOf({ text, reasoningText, toolCalls, finishReason, usage, pieces }: Made): ChatAnswer {
  return {
    text,
    reasoning: reasoningText ?? "",
    calls: toolCalls.map(({ toolCallId: id, toolName: name, input }) => ({ id, name, arguments: input })),
    finish: finishReason === "tool-calls" ? "tool_calls" : finishReason,
    tokens: { input: usage.inputTokens, output: usage.outputTokens },
    pieces,
  };
}
