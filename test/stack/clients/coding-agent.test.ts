import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedUpstream,
  startScriptedUpstream,
  textIn,
} from "../../fixtures/upstreams/scripted-upstream.ts";
import { type Parley, startParley } from "../start-parley.ts";

/** A coding agent works on a file for some rounds, as such agents do: tokens counted first, everything streamed, tools side by side. */
let upstream: ScriptedUpstream;
let parley: Parley;
let token: string;

/** Reads, then edits and runs at once, has what failed put right, and is done. */
function work({ messages }: ScriptedRequest): ScriptedReply {
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => textIn(content));
  const tokens: [number, number] = [1000 + results.length * 100, 40];
  const file = "/src/pier.ts";
  if (results.length === 0)
    return { reasoning: "First look.", content: "I read it.", calls: [{ name: "Read", arguments: { file } }], tokens };
  if (results.length === 1) {
    const edit = { name: "Edit", arguments: { file, old: "pier = 2", new: 'pier = "3"' } };
    return {
      reasoning: "Edit, then run.",
      calls: [edit, { name: "Bash", arguments: { command: "npm test" } }],
      tokens,
    };
  }
  if (results.at(-1)!.startsWith("Error: "))
    return { calls: [{ name: "Bash", arguments: { command: "npm test" } }], tokens };
  return { content: "The pier is 3 now.", tokens };
}

beforeAll(async () => {
  upstream = await startScriptedUpstream({
    "strict-coder": (request) => ({ ...work(request), manner: "strict" }),
    "loose-coder": (request) => ({ ...work(request), manner: "loose" }),
  });
  parley = await startParley({ env: { OPENAI_API_BASE_URLS: upstream.url } });
  const response = await fetch(`${parley.url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", email: "ada@example.com", password: "correct horse battery" }),
  });
  ({ token } = (await response.json()) as { token: string });
});
afterAll(async () => {
  await parley?.stop();
  await upstream?.close();
});

const text = { type: "string" };
const tool = (name: string, fields: string[]): Anthropic.Beta.BetaTool => ({
  name,
  description: `${name} something`,
  input_schema: {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field, text])),
    required: fields,
    additionalProperties: false,
  },
});
const tools: Anthropic.Beta.BetaTool[] = [
  tool("Read", ["file"]),
  tool("Edit", ["file", "old", "new"]),
  { ...tool("Bash", ["command"]), cache_control: { type: "ephemeral" } },
];
const system: Anthropic.Beta.BetaTextBlockParam[] = [
  { type: "text", text: "x-anthropic-billing-header: cc_version=2.1; cch=a1b2c;" },
  { type: "text", text: "You are a coding agent.", cache_control: { type: "ephemeral" } },
];

test.each(["strict-coder", "loose-coder"])("a session with %s", async (model) => {
  // Agents that were given a token send what else they find for a key, too.
  const client = new Anthropic({
    baseURL: `${parley.url}/api`,
    authToken: token,
    defaultHeaders: { "x-api-key": "sk-ant-of-another-place" },
    maxRetries: 0,
  });
  const betas = ["claude-code-20250219", "interleaved-thinking-2025-05-14"];
  const messages: Anthropic.Beta.BetaMessageParam[] = [
    { role: "user", content: [{ type: "text", text: "<system-reminder>Be careful.</system-reminder>" }] },
    { role: "user", content: [{ type: "text", text: "Correct the pier.", cache_control: { type: "ephemeral" } }] },
  ];
  const counts: number[] = [];
  const used: string[] = [];
  let runs = 0;
  let last: Anthropic.Beta.BetaMessage;
  for (;;) {
    counts.push((await client.beta.messages.countTokens({ model, messages, system, tools, betas })).input_tokens);
    const stream = client.beta.messages.stream({
      model,
      max_tokens: 32_000,
      system,
      tools,
      messages,
      betas,
      thinking: { type: "adaptive" },
      metadata: { user_id: "user_1_session_2" },
      context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
    });
    last = await stream.finalMessage();
    messages.push({ role: "assistant", content: last.content });
    const calls = last.content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) break;
    expect(last.stop_reason).toBe("tool_use");
    used.push(...calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`));
    messages.push({
      role: "user",
      content: calls.map(({ id, name }): Anthropic.Beta.BetaToolResultBlockParam => {
        if (name !== "Bash" || ++runs > 1)
          return { type: "tool_result", tool_use_id: id, content: [{ type: "text", text: `${name} worked` }] };
        return { type: "tool_result", tool_use_id: id, is_error: true, content: "1 test failed" };
      }),
    });
  }
  expect(used).toEqual([
    'Read {"file":"/src/pier.ts"}',
    'Edit {"file":"/src/pier.ts","old":"pier = 2","new":"pier = \\"3\\""}',
    'Bash {"command":"npm test"}',
    'Bash {"command":"npm test"}',
  ]);
  expect(last.content).toMatchObject([{ type: "text", text: "The pier is 3 now." }]);
  expect(last.usage).toMatchObject({ input_tokens: 1400, output_tokens: 40 });
  // What agents decide by when their context is full.
  expect(counts.every((count, at) => at === 0 || count > counts[at - 1]!)).toBe(true);

  const asked = upstream.requests.findLast((request) => request.model === model)!;
  expect(asked["messages"]).toMatchObject([
    { role: "system", content: "You are a coding agent." },
    { role: "user", content: "<system-reminder>Be careful.</system-reminder>\n\nCorrect the pier." },
    { role: "assistant", content: "I read it.", reasoning_content: "First look.", tool_calls: [{ type: "function" }] },
    { role: "tool", content: "Read worked" },
    { role: "assistant", reasoning_content: "Edit, then run.", tool_calls: [{}, {}] },
    { role: "tool", content: "Edit worked" },
    { role: "tool", content: "Error: 1 test failed" },
    { role: "assistant", tool_calls: [{}] },
    { role: "tool", content: "Bash worked" },
  ]);
  expect(Object.keys(asked)).not.toEqual(expect.arrayContaining(["context_management"]));
  expect(JSON.stringify(asked)).not.toMatch(/cache_control|billing|thinking"/);
});
