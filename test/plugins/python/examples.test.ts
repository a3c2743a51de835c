import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PythonHost, type PythonOptions, startPythonHost } from "./python-host.ts";

let host: PythonHost;
let wikipedia: Server;
let address: string;

beforeAll(async () => {
  wikipedia = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? "", "http://x");
    const titles = searchParams.get("srsearch") === "nothing" ? [] : [{ title: "Port of Leixões" }, { title: "Crane" }];
    const search = { query: { search: titles.slice(0, Number(searchParams.get("srlimit"))) } };
    const page = { query: { pages: { 7: { extract: `All about ${searchParams.get("titles")}` } } } };
    if (pathname !== "/w/api.php") return response.writeHead(404).end();
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(searchParams.has("srsearch") ? search : page));
  });
  await new Promise<void>((resolve) => wikipedia.listen(0, "127.0.0.1", resolve));
  address = `127.0.0.1:${(wikipedia.address() as AddressInfo).port}`;
  host = await startPythonHost(address);
}, 120_000);

afterAll(async () => {
  await host.stop();
  wikipedia.closeAllConnections();
  wikipedia.close();
});

const read = (name: string) =>
  readFileSync(path.join(import.meta.dirname, "../../../src/plugins/examples", `${name}.py`), "utf8");
const call = (name: string, method: string, args: Record<string, unknown>, options: PythonOptions = {}) =>
  host.call(read(name), method, args, options);
const types = (events: unknown[]) => events.map((event) => (event as { type: string }).type);
const ada = { id: "u1", name: "Ada", email: "ada@example.com", role: "user" };

describe("examples in Python", { timeout: 60_000 }, () => {
  it("are described without a complaint", async () => {
    for (const name of ["wikipedia", "private_numbers", "second_reader"]) {
      const { info, problems } = await host.describe(read(name), []);
      expect(problems).toEqual([]);
      expect(info?.manifest).toMatchObject({ title: expect.any(String) as string, version: "1.0.0" });
    }
  });

  it("Wikipedia reads articles and cites them", async () => {
    const valves = { address: `http://${address}`, articles: 2 };
    const reserved = { __user__: { ...ada, valves: { language: "pt" } } };
    const options = { valves, reserved, hosts: [address] };
    const found = await call("wikipedia", "look_up", { query: "Leixões" }, options);
    expect(found).toMatchObject({
      ok: true,
      value: [
        {
          title: "Port of Leixões",
          url: `http://${address}/wiki/Port_of_Leix%C3%B5es`,
          text: "All about Port of Leixões",
        },
        { title: "Crane" },
      ],
    });
    expect(types(found.events)).toEqual(["status", "citation", "citation", "status"]);
    expect(await call("wikipedia", "look_up", { query: "nothing" }, options)).toMatchObject({
      value: "Wikipedia (pt) has nothing about nothing.",
    });
    expect(await call("wikipedia", "look_up", { query: "x" }, { ...options, hosts: [] })).toMatchObject({
      ok: true,
      value: expect.stringContaining("did not answer") as string,
    });
  });

  it("Private numbers keeps them from the model and shows them again, also where a placeholder is cut in two", async () => {
    const reserved = { __user__: { ...ada, valves: {} }, __metadata__: { chat_id: "c1", message_id: "m1" } };
    const said =
      "Mail ada@example.com or call +351 912 345 678, card 4111 1111 1111 1111, IBAN PT50 0002 0123 1234 5678 9015 4, order 1234 5678 9012 3456, in 2026.";
    const options = { reserved, fingerprint: "private" };
    const inlet = (user: object, content: unknown) =>
      call(
        "private_numbers",
        "inlet",
        { body: { messages: [{ role: "user", content }] } },
        {
          ...options,
          reserved: { ...reserved, __user__: { ...ada, valves: user } },
        },
      );
    expect(await inlet({ phones: false }, said)).toMatchObject({
      ok: true,
      value: {
        messages: [
          {
            content:
              "Mail [EMAIL_1] or call +351 912 345 678, card [CARD_3], IBAN [ACCOUNT_2], order 1234 5678 9012 3456, in 2026.",
          },
        ],
      },
    });
    expect(await inlet({}, [{ type: "text", text: "Again ada@example.com, 0912 345 678" }])).toMatchObject({
      value: { messages: [{ content: [{ text: "Again [EMAIL_1], [PHONE_4]" }] }] },
    });
    const pieces: string[] = [];
    for (const [content, end] of [
      ["Write to [EM", null],
      ["AIL_1", null],
      ["] or [CARD_3], not [", null],
      ["x]", "stop"],
    ] as const) {
      const event = { choices: [{ delta: { content }, finish_reason: end }] };
      const result = (await call("private_numbers", "stream", { event }, options)) as unknown as {
        value: { choices: { delta: { content: string } }[] };
      };
      pieces.push(result.value.choices[0]?.delta.content ?? "");
    }
    expect(pieces).toEqual(["Write to ", "", "ada@example.com or 4111 1111 1111 1111, not ", "[x]"]);
    const other = { ...options, reserved: { ...reserved, __metadata__: { chat_id: "c2" } } };
    const outlet = (given: PythonOptions) =>
      call("private_numbers", "outlet", { body: { messages: [{ content: "[EMAIL_1] [EMAIL_9]" }] } }, given);
    expect(await outlet(options)).toMatchObject({ value: { messages: [{ content: "ada@example.com [EMAIL_9]" }] } });
    expect(await outlet(other)).toMatchObject({ value: { messages: [{ content: "[EMAIL_1] [EMAIL_9]" }] } });
  });

  it("Second reader asks before it has a draft checked", async () => {
    const answers: Record<string, string> = { a: "A draft", b: "Too short" };
    const complete = ({ body }: { body: { model: string; messages: { content: string }[] } }) => {
      const last = body.messages.at(-1)?.content ?? "";
      const content = last.startsWith("Write the answer again") ? "A better answer" : answers[body.model];
      return { choices: [{ message: { content } }] };
    };
    const options = (given: PythonOptions): PythonOptions => ({
      valves: { writer: "a", reader: "b" },
      reserved: { __user__: ada },
      rights: { "completion.create": complete },
      streams: true,
      ...given,
    });
    const body = { model: "second_reader", messages: [{ role: "user", content: "Why?" }] };
    const agreed = await call("second_reader", "pipe", { body }, options({ answers: [true] }));
    expect(agreed).toMatchObject({ ok: true, chunks: ["A better answer"], questions: [{ type: "confirmation" }] });
    expect(agreed.events.map((event) => (event as { data: { description: string } }).data.description)).toEqual([
      "Writing a draft",
      "Checking the draft",
      "Improving the draft",
      "Checked and improved",
    ]);
    const declined = await call("second_reader", "pipe", { body }, options({ answers: [false] }));
    expect(declined).toMatchObject({ chunks: ["A draft"], events: [{}, { data: { done: true } }] });
    const unasked = options({ valves: { writer: "a", reader: "b", asks_first: false } });
    expect(await call("second_reader", "pipe", { body }, unasked)).toMatchObject({
      chunks: ["A better answer"],
      questions: [],
    });
    const unset = await call("second_reader", "pipe", { body }, options({ valves: {} }));
    expect(unset.chunks).toEqual([expect.stringContaining("writer")]);
  });
});
