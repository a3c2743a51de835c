import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReadChat } from "../../../src/chat/transfer/exported.ts";
import { readExported } from "../../../src/chat/transfer/read-exported.ts";
import { dialogue } from "../conversations/dialogue.ts";

function read(value: unknown): ReadChat {
  const found = readExported(value);
  if ("reason" in found) throw new Error(found.reason);
  return found;
}
const tree = (value: unknown) =>
  Object.entries(read(value).chat.chat.history?.messages ?? {}).map(([id, message]) => [
    id,
    message.parentId,
    message.content,
  ]);

describe("an entry of an export", () => {
  test("is a row of the peer, or only its document", () => {
    const row = {
      id: "c1",
      title: "Row",
      chat: dialogue(),
      pinned: true,
      archived: false,
      folder_id: "f",
      created_at: 7,
    };
    expect(read(row)).toMatchObject({
      chat: { title: "Row", pinned: true, created_at: 7, chat: { models: ["m1"], history: { currentId: "a1" } } },
      messagesLeftOut: 0,
      inFolder: true,
    });
    expect(read(row).chat.folder_id).toBe("f");
    expect(read(dialogue()).chat).toMatchObject({ title: "Ships", chat: { history: { currentId: "a1" } } });
  });

  test("may have its messages in a list", () => {
    const messages = [
      { role: "user", content: "One" },
      { id: "a", role: "assistant", content: "Two" },
      { id: "a", role: "user", content: "Three" },
    ];
    expect(tree({ title: "Flat", messages })).toEqual([
      ["message-1", null, "One"],
      ["a", "message-1", "Two"],
      ["message-3", "a", "Three"],
    ]);
    expect(read({ title: "Flat", messages }).chat.chat.history?.currentId).toBe("message-3");
  });

  test("loses messages that cannot be read, and nothing that follows on them", () => {
    const messages = {
      u1: { parentId: null, childrenIds: ["x1"], role: "user", content: "One" },
      x1: { parentId: "u1", childrenIds: ["x2"], role: 7, content: "Nobody's" },
      x2: { parentId: "x1", childrenIds: ["a1"], content: { not: "content" } },
      a1: {
        parentId: "x2",
        childrenIds: [],
        role: "assistant",
        content: "Two",
        timestamp: "soon",
        usage: 7,
        model: null,
      },
    };
    const found = { chat: { title: "Broken", history: { currentId: "x2", messages } } };
    expect(tree(found)).toEqual([
      ["u1", null, "One"],
      ["a1", "u1", "Two"],
    ]);
    expect(read(found).messagesLeftOut).toBe(2);
    expect(read(found).chat.chat.history?.messages?.["a1"]).not.toHaveProperty("timestamp");
  });

  test.each([
    [7, "Not a chat"],
    [null, "Not a chat"],
    [[], "Not a chat"],
    [{}, "It has no messages"],
    [{ chat: { title: "T" } }, "It has no messages"],
    [{ mapping: {} }, "It has no messages"],
  ])("that is none says why: %j", (value, reason) => {
    expect(readExported(value)).toMatchObject({ reason });
  });

  test("never throws, whatever it is", () => {
    const junk = fc.jsonValue({ maxDepth: 3 });
    const message = fc.record(
      { id: junk, parentId: junk, childrenIds: junk, role: junk, content: junk, files: junk, model: junk },
      { requiredKeys: [] },
    );
    const history = fc.record({ currentId: junk, messages: fc.oneof(junk, fc.dictionary(fc.string(), message)) });
    const chat = fc.record({
      title: junk,
      models: junk,
      params: junk,
      history: fc.oneof(junk, history),
      messages: junk,
    });
    const text = fc.oneof(junk, fc.constantFrom("a", "b", "c"));
    const block = fc.record({
      type: fc.constantFrom("text", "thinking", "think"),
      text: junk,
      thinking: junk,
      think: junk,
    });
    const claude = fc.record({
      uuid: text,
      parent_message_uuid: text,
      sender: junk,
      text: junk,
      content: fc.oneof(junk, fc.array(block)),
      attachments: fc.oneof(junk, fc.array(fc.record({ extracted_content: junk, file_name: junk }))),
    });
    const { libre } = fc.letrec((tie) => ({
      libre: fc.oneof(
        { maxDepth: 3 },
        junk,
        fc.record({
          messageId: text,
          parentMessageId: text,
          text: junk,
          content: fc.oneof(junk, fc.array(block)),
          children: fc.array(tie("libre")),
        }),
      ),
    }));
    const mapping = fc.dictionary(fc.string(), fc.record({ parent: junk, message: fc.oneof(junk, message) }));
    fc.assert(
      fc.property(
        fc.oneof(
          junk,
          chat,
          fc.record({ chat, meta: junk, pinned: junk }),
          fc.record({ mapping }),
          fc.record({ chat_messages: fc.array(fc.oneof(junk, claude)), name: junk, created_at: junk }),
          fc.record({ conversationId: fc.string(), messages: fc.oneof(junk, fc.array(libre)), title: junk }),
        ),
        (value) => {
          expect(readExported(value)).toBeTypeOf("object");
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("a conversation of ChatGPT", () => {
  const node = (parent: string | null, message: unknown) => ({ parent, children: [], message });
  const said = (role: string, parts: unknown[], more: object = {}) => ({
    author: { role },
    content: { content_type: "text", parts },
    create_time: 1_700_000_000.5,
    recipient: "all",
    ...more,
  });
  const conversation = {
    title: "Tides",
    create_time: 1_700_000_000,
    update_time: 1_700_000_100,
    current_node: "tool",
    mapping: {
      root: node(null, null),
      system: node("root", said("system", [""])),
      u1: node("system", said("user", ["When is high water?"])),
      hidden: node("u1", said("assistant", ["hush"], { metadata: { is_visually_hidden_from_conversation: true } })),
      call: node("hidden", said("assistant", ["search()"], { recipient: "browser" })),
      a1: node("call", said("assistant", ["At ", "six"], { metadata: { model_slug: "gpt-4o" } })),
      u2: node("a1", {
        ...said("user", []),
        content: { content_type: "multimodal_text", parts: [{ asset_pointer: "file-service://x" }, "And here?"] },
      }),
      tool: node("u2", said("tool", ["nothing"])),
    },
  };

  test("keeps what was said, its branches, models and times", () => {
    expect(tree(conversation)).toEqual([
      ["u1", null, "When is high water?"],
      ["a1", "u1", "At \nsix"],
      ["u2", "a1", "And here?"],
    ]);
    expect(read(conversation)).toMatchObject({
      chat: {
        title: "Tides",
        created_at: 1_700_000_000,
        chat: { models: ["gpt-4o"], history: { currentId: "u2", messages: { a1: { model: "gpt-4o" } } } },
      },
      filesLeftOut: 1,
    });
  });
});

describe("a conversation of Claude", () => {
  const message = (uuid: string, sender: string, text: string, more: object = {}) => ({
    uuid,
    sender,
    text,
    content: [{ type: "text", text }],
    created_at: "2026-01-05T10:00:00.000000Z",
    attachments: [],
    files: [],
    ...more,
  });

  test("keeps texts, thoughts, attached texts and times, one message after the other", () => {
    const conversation = {
      uuid: "c",
      name: "Tides",
      created_at: "2026-01-05T10:00:00Z",
      updated_at: "2026-01-05T11:00:00Z",
      chat_messages: [
        message("u1", "human", "Read this", {
          attachments: [{ file_name: "tides.txt", extracted_content: "High at six" }],
          files: [{ file_name: "photo.png" }],
        }),
        message("a1", "assistant", "ignored", {
          content: [
            { type: "thinking", thinking: "Six, then." },
            { type: "tool_use", name: "search", input: {} },
            { type: "text", text: "At six." },
          ],
        }),
        message("empty", "human", ""),
        message("u2", "human", "", { text: "Thanks", content: undefined }),
      ],
    };
    expect(tree(conversation)).toEqual([
      ["u1", null, "Read this\n\ntides.txt:\n\nHigh at six"],
      ["a1", "u1", "At six."],
      ["u2", "a1", "Thanks"],
    ]);
    expect(read(conversation)).toMatchObject({
      chat: {
        title: "Tides",
        created_at: 1_767_607_200,
        updated_at: 1_767_610_800,
        chat: { history: { currentId: "u2", messages: { a1: { role: "assistant", reasoning: "Six, then." } } } },
      },
      filesLeftOut: 1,
    });
  });

  test("keeps branches where it names parents", () => {
    const nobody = "00000000-0000-4000-8000-000000000000";
    const chat_messages = [
      message("u1", "human", "One", { parent_message_uuid: nobody }),
      message("a1", "assistant", "First", { parent_message_uuid: "u1" }),
      message("a2", "assistant", "Second", { parent_message_uuid: "u1" }),
    ];
    expect(tree({ name: "", chat_messages })).toEqual([
      ["u1", null, "One"],
      ["a1", "u1", "First"],
      ["a2", "u1", "Second"],
    ]);
  });
});

describe("a conversation of LibreChat", () => {
  const question = {
    messageId: "u1",
    parentMessageId: "0000",
    isCreatedByUser: true,
    sender: "User",
    text: "When?",
    createdAt: "2026-01-05T10:00:00Z",
  };
  const answer = {
    messageId: "a1",
    parentMessageId: "u1",
    isCreatedByUser: false,
    sender: "GPT",
    model: "gpt-4o",
    text: "",
    content: [
      { type: "think", think: "Hm." },
      { type: "text", text: { value: "At six" } },
    ],
  };
  const expected = [
    ["u1", null, "When?"],
    ["a1", "u1", "At six"],
  ];

  test("is a list that names parents", () => {
    const conversation = { conversationId: "c", title: "Tides", recursive: false, messages: [question, answer, 7] };
    expect(tree(conversation)).toEqual(expected);
    expect(read(conversation)).toMatchObject({
      chat: {
        title: "Tides",
        chat: {
          models: ["gpt-4o"],
          history: { currentId: "a1", messages: { a1: { reasoning: "Hm." }, u1: { timestamp: 1_767_607_200 } } },
        },
      },
      messagesLeftOut: 1,
    });
  });

  test("is a tree of children", () => {
    const { parentMessageId: _, ...child } = answer;
    const conversation = {
      conversationId: "c",
      title: "Tides",
      recursive: true,
      messages: [{ ...question, children: [child] }],
    };
    expect(tree(conversation)).toEqual(expected);
  });
});
