import { Ollama } from "ollama";
import { expect } from "vitest";
import type { FakeRuntime } from "../../local-models/fake-runtime.ts";
import { counts, words } from "../../local-models/runtime-words.ts";

const answer = words.join("");
const question = [{ role: "user", content: "What is the capital of France?" }];
const tools = ["get_weather", "get_time"].map((name) => ({
  type: "function",
  function: {
    name,
    description: "About a city",
    parameters: { type: "object", required: ["city"], properties: { city: { type: "string", description: "Where" } } },
  },
}));

export interface OllamaScript {
  /** Address of the proxy, such as `http://127.0.0.1:8080/localmodel`. */
  host: string;
  /** Of somebody who is no administrator, and of one who is. */
  tokens: { person: string; admin: string };
  runtime: FakeRuntime;
}

/** Everything that the runtime's own client does, by name: what it does is the same as against the runtime itself. */
export const ollamaScript: Readonly<Record<string, (script: OllamaScript) => Promise<void>>> = {
  async "lists, shows, says its version"(script) {
    const client = clientOf(script);
    const { models } = await client.list();
    expect(models.map(({ name }) => name)).toContain("tiny:latest");
    expect(models[0]).toMatchObject({ size: 2_019_393_189, details: { quantization_level: "Q4_K_M" } });
    expect((await client.show({ model: "tiny" })).capabilities).toEqual(["completion"]);
    expect(await client.version()).toEqual({ version: "0.12.6" });
  },

  async "chats, whole and streamed"(script) {
    const client = clientOf(script);
    const whole = await client.chat({ model: "tiny", messages: question });
    expect(whole).toMatchObject({ message: { role: "assistant", content: answer }, done: true, ...counts });
    const said: string[] = [];
    let usage = {};
    for await (const part of await client.chat({ model: "tiny", messages: question, stream: true })) {
      said.push(part.message.content);
      if (part.done) usage = { prompt_eval_count: part.prompt_eval_count, eval_count: part.eval_count };
    }
    expect(said).toEqual([...words, ""]);
    expect(usage).toEqual(counts);
    expect((await client.ps()).models.map(({ model }) => model)).toEqual(["tiny:latest"]);
  },

  async "calls tools, several at once"(script) {
    const client = clientOf(script);
    const { message } = await client.chat({ model: "tiny", messages: question, tools });
    const called = message.tool_calls?.map((call) => [call.function.name, call.function.arguments]);
    expect(called).toEqual(tools.map((tool) => [tool.function.name, { city: "Zürich" }]));
  },

  async "sends pictures"(script) {
    const picture = new Uint8Array([137, 80, 78, 71, 0, 255]);
    const messages = [{ ...question[0]!, images: [picture] }];
    await clientOf(script).chat({ model: "tiny", messages });
    const sent = JSON.parse(script.runtime.seen.at(-1)!.body.toString()) as { messages: { images: string[] }[] };
    expect(sent.messages[0]!.images).toEqual([Buffer.from(picture).toString("base64")]);
  },

  async "generates, whole and streamed"(script) {
    const client = clientOf(script);
    expect((await client.generate({ model: "tiny", prompt: "Hi" })).response).toBe(answer);
    let said = "";
    for await (const part of await client.generate({ model: "tiny", prompt: "Hi", stream: true }))
      said += part.response;
    expect(said).toBe(answer);
  },

  async embeds(script) {
    const client = clientOf(script);
    const { embeddings } = await client.embed({ model: "tiny", input: ["one", "two"] });
    expect(embeddings).toEqual([
      [0.010071029, -0.0017594862, 0],
      [0.010071029, -0.0017594862, 1],
    ]);
    expect((await client.embeddings({ model: "tiny", prompt: "one" })).embedding).toEqual([0.5, -0.25]);
  },

  async "stops what it asked for, and the runtime hears of it"(script) {
    const { runtime } = script;
    runtime.hold = (line) => (line < 2 ? undefined : new Promise(() => undefined));
    try {
      const stream = await clientOf(script).chat({ model: "tiny", messages: question, stream: true });
      const read = async () => {
        for await (const part of stream) if (part.message.content === words[1]) stream.abort();
      };
      await expect(read()).rejects.toMatchObject({ name: "AbortError" });
      await expect.poll(() => runtime.seen.at(-1)?.left, { timeout: 20_000 }).toBe(true);
    } finally {
      runtime.hold = () => undefined;
    }
  },

  async "is told errors in the runtime's words"(script) {
    const client = clientOf(script);
    const missing = client.chat({ model: "nothing", messages: question });
    await expect(missing).rejects.toMatchObject({ message: "model 'nothing' not found", status_code: 404 });
    const wrong = client.generate({ model: "tiny", prompt: 7 as unknown as string });
    await expect(wrong).rejects.toMatchObject({
      message: "json: cannot unmarshal number into Go struct field .prompt",
      status_code: 400,
    });
    const stranger = new Ollama({ host: script.host, headers: { Authorization: "Bearer sk-nobody" } });
    await expect(stranger.list()).rejects.toMatchObject({ status_code: 401 });
  },

  async "fetches, makes, copies and deletes models for administrators, and for nobody else"(script) {
    const client = clientOf(script, script.tokens.admin);
    const steps: string[] = [];
    for await (const { status } of await client.pull({ model: "fresh", stream: true })) steps.push(status);
    expect([steps[0], steps.at(-1)]).toEqual(["pulling manifest", "success"]);
    // What is new is there at once.
    expect((await clientOf(script).chat({ model: "fresh", messages: question })).message.content).toBe(answer);
    expect(await client.create({ model: "made", from: "fresh", system: "Be brief" })).toMatchObject({
      status: "success",
    });
    expect(await client.copy({ source: "made", destination: "twin" })).toEqual({ status: "success" });
    for (const model of ["made", "twin", "fresh"])
      expect(await client.delete({ model })).toEqual({ status: "success" });
    expect((await client.list()).models.map(({ name }) => name)).toEqual(script.runtime.models);

    const person = clientOf(script);
    const refused = { status_code: 403 };
    await expect(person.pull({ model: "fresh" })).rejects.toMatchObject(refused);
    await expect(person.create({ model: "made", from: "tiny" })).rejects.toMatchObject(refused);
    await expect(person.copy({ source: "tiny", destination: "twin" })).rejects.toMatchObject(refused);
    await expect(person.delete({ model: "tiny" })).rejects.toMatchObject(refused);
    await expect(person.push({ model: "tiny" })).rejects.toMatchObject(refused);
    expect(script.runtime.models).toContain("tiny:latest");
  },
};

function clientOf({ host, tokens }: OllamaScript, token = tokens.person): Ollama {
  return new Ollama({ host, headers: { Authorization: `Bearer ${token}` } });
}
