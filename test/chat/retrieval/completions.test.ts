import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { files } from "../../../src/documents/files/tables.ts";
import { knowledgeFiles } from "../../../src/documents/knowledge/tables.ts";
import { newId } from "../../../src/lib/id.ts";
import { grants } from "../../../src/people/grants/tables.ts";
import { organizations } from "../../../src/people/organizations/tables.ts";
import { users } from "../../../src/people/users/tables.ts";
import { checkStream } from "../../grammar/chat-completions.ts";
import { defaultOrganizationId } from "../../world.ts";
import { eventsOf } from "../functions/events-of.ts";
import { answered, type Completion, question, useFilterWorld } from "../functions/filter-world.ts";
import { install } from "../functions/install.ts";
import { addCollection, addDocument, addText, bind, type Looked } from "./document-world.ts";

const here = useFilterWorld();
type Answered = Completion & Looked;

const ferry = "The ferry to Skagen leaves the northern quay at nine in the morning.";
const fees = "Mooring costs twelve crowns for each metre and night.";
const ask = (more: object, text = "When does the ferry leave?") =>
  here.ask<Answered>({ messages: [{ role: "user", content: text }], ...more });
/** What the model was given as the last message. */
const given = (): string => {
  const { messages } = here.asked().at(-1)!.body as { messages: { content: unknown }[] };
  const { content } = messages.at(-1)!;
  return typeof content === "string" ? content : JSON.stringify(content);
};
const file = (id: string, more: object = {}) => ({ type: "file", id, ...more });

let handbook: string;
beforeEach(async () => {
  handbook = await addDocument(here.world, here.ada, {
    passages: [
      { text: fees, page: 1, headings: ["Fees"] },
      { text: ferry, page: 7, headings: ["Travel", "Ferries"] },
    ],
  });
});

describe("an answer that is looked up in a file", () => {
  it("is given its passages, and says what they were", async () => {
    const { status, body } = await ask({ files: [file(handbook)] });
    expect(status).toBe(200);
    expect(body.choices[0]!.message.content).toBe(answered);
    expect(body.warnings).toBeUndefined();
    expect(body.sources).toHaveLength(1);
    const [source] = body.sources!;
    expect(source!.source).toEqual({
      type: "file",
      id: handbook,
      name: "handbook.pdf",
      content_type: "application/pdf",
    });
    expect(source!.document).toEqual([fees, ferry]);
    expect(source!.metadata).toMatchObject([
      { file_id: handbook, name: "handbook.pdf", source: "handbook.pdf", page: 1, number: 1, start: 0 },
      { page: 7, headings: ["Travel", "Ferries"], number: 2, start: fees.length, end: fees.length + ferry.length },
    ]);
    expect(source!.metadata.every(({ chunk, score }) => typeof chunk === "number" && typeof score === "number")).toBe(
      true,
    );
    expect(source!.distances).toHaveLength(2);
    expect(given()).toContain(
      `<source id="2" name="handbook.pdf" page="7" section="Travel › Ferries">\n${ferry}\n</source>`,
    );
    expect(given()).toMatch(/\n\nWhen does the ferry leave\?$/);
    expect(here.asked().at(-1)!.body).not.toHaveProperty("files");
  });

  it("says it in the first event of a stream that keeps to the grammar", async () => {
    const response = await here.world.request("/api/chat/completions", {
      as: here.ada,
      json: { model: "openai", stream: true, messages: question, files: [file(handbook)] },
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { chunks, content } = checkStream(bytes, { usage: false });
    expect(content.get(0)).toBe(answered);
    expect(chunks[0]).toMatchObject({ choices: [], sources: [{ source: { id: handbook } }] });
    expect(chunks.slice(1).some((chunk) => "sources" in chunk)).toBe(false);
  });

  it("is given the beginning where nothing fits the question", async () => {
    const long = await addDocument(here.world, here.ada, {
      passages: Array.from({ length: 20 }, (_, at) => `Part ${at} tells of whales.`),
    });
    const { body } = await ask({ files: [file(long)] }, "Summarise it");
    expect(body.sources![0]!.document).toEqual([0, 1, 2, 3, 4].map((at) => `Part ${at} tells of whales.`));
    expect(body.sources![0]!.distances).toEqual([1, 1, 1, 1, 1]);
  });

  it("has all of it where that is wanted, as far as there is room, and once", async () => {
    const sentence = (at: number) => `Sentence ${at} of the long story about a whale that swims to the north. `;
    const story = Array.from({ length: 400 }, (_, at) => {
      const before = at === 0 ? "" : sentence(at - 1);
      return { text: before + sentence(at), start: Math.max(0, (at - 1) * 1000) };
    });
    let length = 0;
    const passages = story.map(({ text }, at) => {
      const start = length - (at === 0 ? 0 : sentence(at - 1).length);
      length = start + text.length;
      return { text, start, end: length };
    });
    const long = await addDocument(here.world, here.ada, { name: "story.txt", passages: passages.slice(0, 30) });
    const { body } = await ask({ files: [file(long, { context: "full" })] });
    const told = body.sources![0]!.document;
    expect(told.join("")).toBe(Array.from({ length: 30 }, (_, at) => sentence(at)).join(""));
    expect(body.warnings).toBeUndefined();

    const longer = await addDocument(here.world, here.ada, { name: "longer.txt", passages });
    const cut = await ask({ files: [file(longer, { context: "full" })] });
    expect(cut.body.warnings).toMatchObject([{ code: "shortened", id: longer, name: "longer.txt" }]);
    expect(cut.body.sources![0]!.document.length).toBeGreaterThan(100);
    expect(given().length).toBeLessThan(8000 * 7);
    expect(given()).toContain("longer.txt is longer than there is room for");
  });

  it("finds what changed at once, and nothing of what was before", async () => {
    await addText(here.world, handbook, ["The ferry leaves at noon now."]);
    const { body } = await ask({ files: [file(handbook)] });
    expect(body.sources![0]!.document).toEqual(["The ferry leaves at noon now."]);
  });
});

describe("collections and texts", () => {
  it("are searched together, each passage once", async () => {
    const other = await addDocument(here.world, here.ada, {
      name: "other.pdf",
      passages: ["A ferry also goes to Oslo."],
    });
    const base = await addCollection(here.world, here.ada, [handbook, other]);
    const { body } = await ask({
      files: [
        { type: "collection", id: base },
        file(handbook),
        { type: "text", name: "Note", content: "Bring a ferry pass." },
      ],
    });
    const told = body.sources!.flatMap(({ document }) => document);
    expect(told.toSorted()).toEqual([ferry, fees, "A ferry also goes to Oslo.", "Bring a ferry pass."].toSorted());
    expect(body.sources!.flatMap(({ metadata }) => metadata.map(({ number }) => number))).toEqual([1, 2, 3, 4]);
    const text = body.sources!.find(({ source }) => source.type === "text")!;
    expect(text.source).toEqual({ type: "text", id: null, name: "Note" });
    expect(text.metadata[0]).not.toHaveProperty("file_id");
  });

  it("say that nothing was found, to the model too", async () => {
    const base = await addCollection(here.world, here.ada, [handbook]);
    const { body } = await ask({ files: [{ type: "collection", id: base }] }, "zebra");
    expect(body.sources).toEqual([]);
    expect(given()).toContain("Nothing relevant to the question was found in Harbour rules");
  });

  it("have all of a base where that is wanted", async () => {
    const base = await addCollection(here.world, here.ada, [handbook]);
    const { body } = await ask({ files: [{ type: "collection", id: base, context: "full" }] }, "zebra");
    expect(body.sources![0]!.document).toEqual([fees, ferry]);
  });

  it("cut a text that is too long, and say so", async () => {
    const content = "word ".repeat(50_000);
    const { body } = await ask({ files: [{ type: "text", name: "Long", content }] });
    expect(body.warnings).toMatchObject([{ code: "shortened", name: "Long" }]);
    expect(given().length).toBeLessThan(8000 * 7);
    expect(body.sources![0]!.document[0]!.length).toBeGreaterThan(10_000);
  });
});

describe("what cannot be used is said", () => {
  it.each([
    ["was never read", {}, "file_not_processed"],
    ["could not be read", { state: "failed", errorCode: "file_corrupt", error: "It is damaged" }, "file_failed"],
    ["has no text", { state: "failed", errorCode: "file_no_text", error: "Only pictures" }, "file_no_text"],
    ["is empty", { state: "completed", version: 1 }, "file_no_text"],
  ] as const)("a file that %s", async (_, set, code) => {
    const broken = await addDocument(here.world, here.ada, { name: "broken.pdf", set });
    const { status, body } = await ask({ files: [file(broken), file(handbook)] });
    expect(status).toBe(200);
    expect(body.warnings).toMatchObject([{ type: "file", id: broken, name: "broken.pdf", code }]);
    expect(body.sources).toHaveLength(1);
    expect(given()).toContain("- broken.pdf");
  });

  it("an older text serves where a newer one failed", async () => {
    await here.world.db.update(files).set({ state: "failed", errorCode: "file_corrupt" }).where(eq(files.id, handbook));
    const { body } = await ask({ files: [file(handbook)] });
    expect(body.warnings).toBeUndefined();
    expect(body.sources).toHaveLength(1);
  });

  it("unknown, foreign and strange entries, all in the same words", async () => {
    const bob = await here.world.person({ name: "Bob" });
    const foreign = await addDocument(here.world, bob, { name: "secret.pdf", passages: ["The ferry is a secret."] });
    const base = await addCollection(here.world, bob, [foreign], { name: "Secrets" });
    const { status, body } = await ask({
      files: [
        file(foreign),
        file("unknown", { name: "a.pdf" }),
        { type: "collection", id: base },
        { type: "note", id: "n", name: "Shopping" },
      ],
    });
    expect(status).toBe(200);
    expect(body.sources).toEqual([]);
    expect(body.warnings!.map(({ code }) => code).toSorted()).toEqual([
      "not_found",
      "not_found",
      "not_found",
      "unsupported",
    ]);
    expect(JSON.stringify([body, given()])).not.toMatch(/secret/i);
    const [own, other] = body.warnings!.filter(({ code }) => code === "not_found");
    expect(own!.message.replace("A file", "a.pdf")).toBe(other!.message);
  });

  it("in the first event of a stream too", async () => {
    const { body } = await here.ask<string>({ stream: true, files: [file("unknown")] });
    expect(eventsOf(body)[0]).toMatchObject({ sources: [], warnings: [{ code: "not_found", id: "unknown" }] });
  });

  it("what is no list of entries is refused, and too many of them are", async () => {
    for (const wrong of ["handbook", [handbook], { id: handbook }])
      expect((await ask({ files: wrong })).status).toBe(422);
    const many = Array.from({ length: 101 }, (_, at) => file(String(at)));
    const { status, body } = await ask({ files: many });
    expect([status, body.error.code]).toEqual([422, "validation_failed"]);
    expect((await ask({ files: [] })).body.sources).toBeUndefined();
    expect((await ask({ files: null })).body.sources).toBeUndefined();
    expect((await ask({ files: [{ type: "image", url: "https://x.example/a.png" }] })).body.sources).toBeUndefined();
  });
});

it("what is no longer shared, taken out or deleted is gone from the next request on", async () => {
  const bob = await here.world.person({ name: "Bob" });
  const theirs = await addDocument(here.world, bob, { name: "rules.pdf", passages: ["The ferry is punctual."] });
  const base = await addCollection(here.world, bob, [theirs], { isShared: true });
  const collection = { type: "collection", id: base };
  const texts = async (...named: object[]) => {
    const { body } = await ask({ files: named });
    return [body.sources!.flatMap(({ document }) => document), body.warnings?.map(({ code }) => code) ?? []];
  };
  const found = ["The ferry is punctual."];
  expect(await texts(collection)).toEqual([found, []]);
  // A base that holds it opens the file itself too.
  expect(await texts(file(theirs))).toEqual([found, []]);
  await here.world.db.delete(grants).where(eq(grants.resourceId, base));
  expect(await texts(collection)).toEqual([[], ["not_found"]]);
  expect(await texts(file(theirs))).toEqual([[], ["not_found"]]);
  const own = await addCollection(here.world, here.ada, [handbook], { name: "Own" });
  expect((await texts({ type: "collection", id: own }))[0]).toEqual([ferry]);
  await here.world.db.delete(knowledgeFiles).where(eq(knowledgeFiles.knowledgeId, own));
  expect(await texts({ type: "collection", id: own })).toEqual([[], []]);
  await here.world.db.delete(files).where(eq(files.id, handbook));
  expect(await texts(file(handbook))).toEqual([[], ["not_found"]]);
});

describe("what a model knows", () => {
  it("is looked into for each of its answers", async () => {
    const base = await addCollection(here.world, here.ada, [handbook]);
    await bind(here.world, "openai", "collection", base);
    const { body } = await ask({});
    expect(body.sources![0]!.document).toEqual([ferry]);
    const none = await ask({}, "zebra");
    expect(none.body.sources).toEqual([]);
    expect(given()).toBe("zebra");
  });

  it("opens nothing to anybody, and is none of their business", async () => {
    const bob = await here.world.person({ name: "Bob" });
    const foreign = await addDocument(here.world, bob, { name: "secret.pdf", passages: ["The ferry is a secret."] });
    const base = await addCollection(here.world, bob, [foreign], { name: "Secrets" });
    await bind(here.world, "openai", "collection", base);
    await bind(here.world, "openai", "file", foreign);
    const { body } = await ask({});
    expect(body.sources).toEqual([]);
    expect(body.warnings).toBeUndefined();
    expect(given()).toBe("When does the ferry leave?");
    const shared = await addCollection(here.world, bob, [foreign], { name: "Open", isShared: true });
    await bind(here.world, "openai", "collection", shared);
    expect((await ask({})).body.sources![0]!.document).toEqual(["The ferry is a secret."]);
  });

  it("differs between organizations", async () => {
    const north = newId();
    const now = here.world.services.now();
    await here.world.db
      .insert(organizations)
      .values({ id: north, name: "North", features: {}, createdAt: now, updatedAt: now });
    const base = await addCollection(here.world, here.ada, [handbook], { isShared: true });
    await bind(here.world, "openai", "collection", base, north);
    expect((await ask({})).body.sources).toBeUndefined();
    const nora = await here.world.person({ name: "Nora", organizationId: north });
    const asked = { model: "openai", messages: [{ role: "user", content: "When does the ferry leave?" }] };
    const { body } = await here.world.call<Answered>("/api/chat/completions", { as: nora, json: asked });
    expect(body.sources![0]!.document).toEqual([ferry]);
    await here.world.db.update(users).set({ organizationId: defaultOrganizationId }).where(eq(users.id, nora.id));
    const moved = await here.world.call<Answered>("/api/chat/completions", { as: nora, json: asked });
    expect(moved.body.sources).toBeUndefined();
  });
});

describe("functions", () => {
  const pipe = `export class Pipe { pipe(body, __files__, __metadata__, __model_knowledge__, __model__) {
    return JSON.stringify({ files: __files__, metadata: __metadata__.files, knowledge: __model_knowledge__,
      meta: __model__.info.meta.knowledge, last: body.messages.at(-1).content, body: body.files ?? null });
  } }`;

  it("find the documents of the turn as those of the peer do, and the passages in the question", async () => {
    await install(here.world, { id: "teller", source: pipe });
    const base = await addCollection(here.world, here.ada, [handbook]);
    await bind(here.world, "teller", "collection", base);
    const { body } = await ask({ model: "teller", files: [file(handbook, { status: "uploaded" }), file("unknown")] });
    const told = JSON.parse(body.choices[0]!.message.content) as Record<string, unknown>;
    const known = { type: "collection", id: base, name: "Harbour rules", description: "" };
    expect(told).toMatchObject({
      files: [
        {
          type: "file",
          id: handbook,
          name: "handbook.pdf",
          status: "uploaded",
          content_type: "application/pdf",
          file: { id: handbook, filename: "handbook.pdf", meta: { content_type: "application/pdf", size: 1000 } },
        },
        known,
      ],
      knowledge: [known],
      meta: [known],
      body: null,
    });
    expect(told["metadata"]).toEqual(told["files"]);
    expect(told["last"]).toContain(ferry);
    expect(body.sources).toHaveLength(1);
  });

  it("that deal with files themselves keep others from it", async () => {
    const source = `export class Filter { file_handler = true; inlet(body) { body.messages[0].content += " " + body.files.length; return body } }`;
    await install(here.world, { id: "handler", source });
    const { body } = await ask({ files: [file(handbook)] });
    expect(given()).toBe("When does the ferry leave? 1");
    expect(body.sources).toBeUndefined();
  });

  it("that ask before the answer may add files", async () => {
    const source = `export class Filter { inlet(body) { body.files = [{ type: "file", id: "${handbook}" }]; return body } }`;
    await install(here.world, { id: "adder", source });
    expect((await ask({})).body.sources![0]!.document).toEqual([fees, ferry]);
  });
});
