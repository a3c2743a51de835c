import OpenAI, { APIError, APIUserAbortError } from "openai";
import type { ChatCompletionCreateParamsBase } from "openai/resources/chat/completions";
import type { ChatAnswer, ChatClient, ChatMessage, ChatQuestion, ClientAddress } from "./chat-client.ts";

/** OpenAI's own SDK. */
export function openaiClient({ baseUrl, token }: ClientAddress): ChatClient {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: token, maxRetries: 0 });
  const { completions } = client.chat;

  async function stream(question: ChatQuestion): Promise<ChatAnswer> {
    const runner = completions.stream({ ...requestOf(question), stream_options: { include_usage: true } });
    let pieces = 0;
    let reasoning = "";
    runner.on("content", () => pieces++);
    runner.on("chunk", (chunk) => {
      reasoning += (chunk.choices[0]?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? "";
    });
    return { ...answerOf(await runner.finalChatCompletion()), reasoning, pieces };
  }

  return {
    name: "openai",
    list: async () => (await client.models.list()).data.map(({ id }) => id),
    ask: async (question) => answerOf(await completions.create({ ...requestOf(question), stream: false })),
    stream,
    async leave(question) {
      const runner = completions.stream(requestOf(question));
      await new Promise<void>((resolve) => runner.once("content", () => resolve()));
      runner.abort();
      const error: unknown = await runner.done().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (!(error instanceof APIUserAbortError)) throw new Error("the client did not leave");
    },
    async structured(question, schema) {
      const format = { type: "json_schema" as const, json_schema: { name: "answer", schema, strict: true } };
      const parsed = await completions.parse({ ...requestOf(question), response_format: format });
      return parsed.choices[0]?.message.parsed;
    },
    statusOf: (error) => (error instanceof APIError ? (error.status as number | undefined) : undefined),
  };
}

function requestOf({ model, messages, tools, reasoning }: ChatQuestion) {
  return {
    model,
    messages: messages.map(messageOf),
    ...(tools
      ? { tools: tools.map((tool) => ({ type: "function" as const, function: { ...tool, strict: true } })) }
      : {}),
    ...(reasoning ? { reasoning_effort: "low" as const } : {}),
  } satisfies Partial<ChatCompletionCreateParamsBase>;
}

function messageOf(message: ChatMessage): OpenAI.ChatCompletionMessageParam {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.call.id, content: message.result };
  if (message.role === "assistant") {
    const calls = message.calls.map(({ id, name, arguments: args }) => ({
      id,
      type: "function" as const,
      function: { name, arguments: JSON.stringify(args) },
    }));
    return { role: "assistant", content: null, tool_calls: calls };
  }
  const { text, picture } = message;
  if (!picture) return { role: "user", content: text };
  const url = `data:${picture.type};base64,${picture.base64}`;
  return {
    role: "user",
    content: [
      { type: "text", text },
      { type: "image_url", image_url: { url } },
    ],
  };
}

function answerOf({ choices, usage }: OpenAI.ChatCompletion): ChatAnswer {
  const [choice] = choices;
  const calls = (choice?.message.tool_calls ?? []).flatMap((call) => (call.type === "function" ? [call] : []));
  return {
    text: choice?.message.content ?? "",
    reasoning: (choice?.message as { reasoning_content?: string } | undefined)?.reasoning_content ?? "",
    calls: calls.map(({ id, function: made }) => ({
      id,
      name: made.name,
      arguments: JSON.parse(made.arguments) as unknown,
    })),
    finish: choice?.finish_reason,
    tokens: { input: usage?.prompt_tokens, output: usage?.completion_tokens },
    pieces: 1,
  };
}
