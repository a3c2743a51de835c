import { AIMessage, type AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { ChatOpenAI } from "@langchain/openai";
import type { ChatAnswer, ChatClient, ChatMessage, ChatQuestion, ClientAddress } from "./chat-client.ts";

/** LangChain's client for OpenAI-compatible APIs. */
export function langchainClient({ baseUrl, token }: ClientAddress): ChatClient {
  function modelFor({ model, tools }: ChatQuestion) {
    const chat = new ChatOpenAI({ model, apiKey: token, maxRetries: 0, configuration: { baseURL: baseUrl } });
    return tools ? chat.bindTools(tools.map((tool) => ({ type: "function" as const, function: tool }))) : chat;
  }

  return {
    name: "LangChain",
    list: undefined,
    ask: async (question) => answerOf(await modelFor(question).invoke(question.messages.map(messageOf)), 1),
    async stream(question) {
      let whole: AIMessageChunk | undefined;
      let pieces = 0;
      for await (const chunk of await modelFor(question).stream(question.messages.map(messageOf))) {
        if (chunk.text !== "") pieces++;
        whole = whole ? concat(whole, chunk) : chunk;
      }
      if (!whole) throw new Error("nothing came");
      return answerOf(whole, pieces);
    },
    async leave(question) {
      const abort = new AbortController();
      const stream = await modelFor(question).stream(question.messages.map(messageOf), { signal: abort.signal });
      try {
        for await (const chunk of stream) if (chunk.text !== "") abort.abort();
      } catch (error) {
        if (abort.signal.aborted) return;
        throw error;
      }
      throw new Error("the client did not leave");
    },
    async structured(question, schema) {
      const chat = new ChatOpenAI({
        model: question.model,
        apiKey: token,
        maxRetries: 0,
        configuration: { baseURL: baseUrl },
      });
      const model = chat.withStructuredOutput(schema, { name: "answer", method: "jsonSchema" });
      return model.invoke(question.messages.map(messageOf));
    },
    statusOf: (error) => (error as { status?: number } | undefined)?.status,
  };
}

function messageOf(message: ChatMessage): BaseMessage {
  if (message.role === "tool") return new ToolMessage({ tool_call_id: message.call.id, content: message.result });
  if (message.role === "assistant") {
    const calls = message.calls.map(({ id, name, arguments: args }) => ({
      id,
      name,
      args: args as Record<string, unknown>,
    }));
    return new AIMessage({ content: "", tool_calls: calls });
  }
  const { text, picture } = message;
  if (!picture) return new HumanMessage(text);
  const url = `data:${picture.type};base64,${picture.base64}`;
  return new HumanMessage({
    content: [
      { type: "text", text },
      { type: "image_url", image_url: { url } },
    ],
  });
}

function answerOf(message: AIMessage | AIMessageChunk, pieces: number): ChatAnswer {
  const { tool_calls: calls = [], response_metadata: meta } = message;
  const usage = message.usage_metadata as { input_tokens: number; output_tokens: number } | undefined;
  return {
    text: message.text,
    reasoning: undefined,
    calls: calls.map(({ id, name, args }) => ({ id: id ?? "", name, arguments: args })),
    finish: (meta as { finish_reason?: string }).finish_reason,
    tokens: { input: usage?.input_tokens, output: usage?.output_tokens },
    pieces,
  };
}
