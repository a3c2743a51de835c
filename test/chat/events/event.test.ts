import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEvent } from "../../../src/chat/events/event.ts";
import { AppError } from "../../../src/errors.ts";

const read = (type: string, data: unknown) => readEvent({ type, data });
const refusal = (type: unknown, data: unknown) => {
  try {
    readEvent({ type, data });
  } catch (error) {
    return error as AppError;
  }
  throw new Error("the event was taken");
};

/** The name of the error that the event is refused with. */
function attempt(event: unknown): string | undefined {
  try {
    readEvent(event);
    return undefined;
  } catch (error) {
    return (error as Error).name;
  }
}

it("is refused where it is nested deeper than the database reads, or than it can be written", () => {
  for (const depth of [501, 100_000]) {
    const deep = JSON.parse("[".repeat(depth) + "]".repeat(depth)) as unknown;
    expect(refusal("status", { description: "x", deep })).toMatchObject({ code: "invalid_event" });
    expect(refusal("mine", deep)).toMatchObject({
      code: "invalid_event",
      message: expect.stringContaining("data: nested"),
    });
  }
});

describe("an event of the contract's table", () => {
  it.each([
    ["message", "chat:message:delta", { content: "x" }],
    ["replace", "chat:message", { content: "x" }],
    ["files", "chat:message:files", { files: [{ id: "1" }] }],
    ["embeds", "chat:message:embeds", { embeds: ["<p>x</p>"] }],
    ["citation", "source", { source: { name: "a" }, document: ["text"], metadata: [{ source: "a" }] }],
  ])("is the same under %s and %s", (short, long, data) => {
    expect(read(short, data)).toEqual(read(long, data));
    expect(read(short, data)[0]!.live.type).toBe(long);
  });

  it("keeps what else a status says, and is done unless it says otherwise", () => {
    expect(read("status", { description: "Searching", done: false, urls: ["a"], hidden: null })).toEqual([
      {
        live: { type: "status", data: { description: "Searching", done: false, urls: ["a"], hidden: false } },
        kept: {
          what: "items",
          kind: "status",
          mode: "add",
          items: [{ description: "Searching", done: false, urls: ["a"], hidden: false }],
        },
      },
    ]);
    expect(read("status", { description: "Ready" })[0]!.live.data).toMatchObject({ done: true });
    expect(read("status", { action: "web_search", description: null })[0]!.live.data).toMatchObject({ done: true });
  });

  it.each([
    ["a list of names", ["ships", "tides"], ["ships", "tides"]],
    ["a list of the peer's tags", [{ id: "a", name: "Ships" }, "tides"], ["Ships", "tides"]],
    ["an object with a list", { tags: ["ships", "ships"] }, ["ships"]],
    [
      "an object by name",
      { ships: true, tides: { name: "Tides" }, winds: "Winds", gone: false },
      ["ships", "Tides", "Winds"],
    ],
    ["nothing", [], []],
  ])("takes tags as %s", (_name, data, tags) => {
    expect(read("chat:tags", data)).toEqual([
      { live: { type: "chat:tags", data: tags }, kept: { what: "tags", tags } },
    ]);
  });

  it("takes a title as text and as an object", () => {
    for (const data of ["Of ships", { title: " Of ships " }])
      expect(read("chat:title", data)[0]).toEqual({
        live: { type: "chat:title", data: { title: "Of ships" } },
        kept: { what: "title", title: "Of ships" },
      });
  });

  it("takes an error in every form that plugins have for it", () => {
    for (const data of [
      "No wind",
      { error: "No wind" },
      { error: { content: "No wind" } },
      { error: { message: "No wind" } },
    ])
      expect(read("chat:message:error", data)[0]!.kept).toEqual({
        what: "error",
        error: { message: "No wind", code: "plugin_failed" },
      });
  });

  it("shows what runs code, but does not keep it among the sources", () => {
    expect(read("source", { type: "code_execution", id: "1", code: "1 + 1" })[0]!.kept).toBeNull();
  });

  it.each([
    ["info", "info"],
    ["success", "success"],
    ["warning", "warning"],
    ["error", "error"],
    [undefined, "info"],
  ])("has notifications of the kind %s", (type, shown) => {
    expect(read("notification", { type, content: "Moored" })).toEqual([
      { live: { type: "notification", data: { type: shown, content: "Moored" } }, kept: null },
    ]);
  });

  it("makes of a completion what it says: text, sources, usage, an error; its end is not the plugin's to say", () => {
    const kept = (data: unknown) => read("chat:completion", data).map((event) => event.kept);
    expect(kept({ choices: [{ delta: { content: "a" } }] })).toEqual([{ what: "text", mode: "append", content: "a" }]);
    expect(kept({ choices: [{ message: { content: [{ type: "text", text: "b" }] } }] })).toEqual([
      { what: "text", mode: "replace", content: "b" },
    ]);
    expect(kept({ content: "c", done: true })).toEqual([{ what: "text", mode: "replace", content: "c" }]);
    expect(kept({ sources: [{ source: { name: "a" } }], usage: { total_tokens: 1 }, error: { message: "m" } })).toEqual(
      [
        { what: "items", kind: "source", mode: "add", items: [{ source: { name: "a" } }] },
        { what: "usage", usage: { total_tokens: 1 } },
        { what: "error", error: { message: "m", code: "plugin_failed" } },
      ],
    );
    expect(kept({ done: true })).toEqual([]);
  });

  it("is shown as it is where a plugin has made its own", () => {
    for (const type of ["weather:changed", "constructor"])
      expect(read(type, [1, 2])).toEqual([{ live: { type, data: [1, 2] }, kept: null }]);
  });
});

describe("a bad event is refused with what is wrong:", () => {
  it.each<[string, unknown, unknown, RegExp]>([
    ["no type", undefined, {}, /^type: /],
    ["a type that is no text", 3, {}, /^type: /],
    ["an empty type", "", {}, /^type: /],
    ["a type that is too long", "x".repeat(101), {}, /^type: /],
    ["a status without words", "status", { done: true }, /^data\.description: /],
    ["a status that is no object", "status", "Searching", /^data: /],
    ["a status with a bad flag", "status", { description: "a", done: "no" }, /^data\.done: /],
    ["text that is none", "message", { content: 3 }, /^data\.content: /],
    ["text that is missing", "replace", {}, /^data\.content: /],
    ["files that are no list", "files", { files: "a.pdf" }, /^data\.files: /],
    ["files that are no objects", "files", { files: ["a.pdf"] }, /^data\.files\.0: /],
    ["embeds of numbers", "embeds", { embeds: [1] }, /^data\.embeds/],
    ["an empty title", "chat:title", { title: "  " }, /^data/],
    ["tags that are a number", "chat:tags", 3, /^data: /],
    [
      "too many tags",
      "chat:tags",
      Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`t${at}`, true])),
      /^data: /,
    ],
    ["too many sources", "chat:completion", { sources: Array.from({ length: 201 }, () => ({})) }, /^data\.sources: /],
    ["an empty source", "source", {}, /^data: /],
    ["a source with documents that are no texts", "citation", { document: [{}] }, /^data\.document/],
    ["a notification of another kind", "notification", { type: "warn", content: "a" }, /^data\.type: /],
    ["a notification without words", "notification", { type: "info" }, /^data\.content: /],
    ["a mark that is none", "chat:message:favorite", { favorite: "yes" }, /^data\.favorite: /],
    ["follow-ups that are no list", "chat:message:follow_ups", { follow_ups: "a" }, /^data\.follow_ups: /],
    ["an error without words", "chat:message:error", { error: "" }, /^data/],
    ["a completion that is text", "chat:completion", "done", /^data: /],
    ["a question that nobody waits for", "confirmation", { title: "a" }, /__event_call__/],
    ["another question that nobody waits for", "input", {}, /__event_call__/],
    ["what only the service says", "session:changed", {}, /not an event that plugins can send/],
    ["what only the service says of a chat", "chat:active", { active: false }, /not an event that plugins can send/],
    ["what would answer a question", "call:closed", { call_id: "a" }, /not an event that plugins can send/],
  ])("%s", (_name, type, data, message) => {
    expect(refusal(type, data)).toMatchObject({ code: "invalid_event", message: expect.stringMatching(message) });
  });

  it.each([undefined, null, "text", 3, []])("%j is no event", (given) => {
    expect(() => readEvent(given)).toThrow(AppError);
  });

  it("more than 4 MB", () => {
    expect(refusal("message", { content: "x".repeat(4_000_001) })).toMatchObject({ code: "payload_too_large" });
  });

  it("whatever it is, no other error", () => {
    const types = [
      "status",
      "message",
      "files",
      "embeds",
      "chat:title",
      "chat:tags",
      "source",
      "chat:completion",
      "chat:message:error",
    ];
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.anything(), (type, data) => {
        const event = { type, data: JSON.parse(JSON.stringify(data) ?? "null") as unknown };
        expect(attempt(event)).toBeOneOf([undefined, "AppError"]);
      }),
    );
  });
});
