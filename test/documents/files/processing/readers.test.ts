import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExtractEvent, Extractor } from "../../../../src/documents/files/extraction/extractor.ts";
import { handleRequest } from "../../../fixtures/handle-request.ts";
import { listing, startProvider, type Provider } from "../../../models/provider.ts";
import { storeConnection } from "../../../models/store-connection.ts";
import { createWorld, type Person, type World } from "../../../world.ts";
import { createNodeExtractor } from "../node-extractor.ts";
import { runAllJobs, upload, uploadAndRead } from "../run-jobs.ts";

let world: World;
let ada: Person;
let reader: Server;
let provider: Provider;
let received: { name: string; body: string }[] = [];
let events: ExtractEvent[] | undefined;
let pictureStatus: number[] = [];

const real = createNodeExtractor();
/** The real one, but for what a test makes it say. */
const extractor: Extractor = {
  ...real,
  async *extract(body, options, signal) {
    if (!events) return yield* real.extract(body, options, signal);
    await body.cancel();
    yield* events;
  },
};
beforeAll(async () => {
  reader = createServer(
    handleRequest(async (request, response) => {
      received.push({ name: String(request.headers["x-filename"]), body: await text(request) });
      const pages = ["First page", "Second page"];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(pages.map((each, page) => ({ page_content: each, metadata: { page } }))));
    }),
  );
  await new Promise<void>((resolve) => reader.listen(0, "127.0.0.1", resolve));
  provider = await startProvider();
  let shown = 0;
  const models = listing("sees");
  provider.behave((request, response) => {
    if (request.url === "/v1/models") return models(request, response);
    const status = pictureStatus.shift() ?? 200;
    if (status === 200) shown++;
    const message = { role: "assistant", content: `Picture ${shown}` };
    response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
    response.end(JSON.stringify(status === 200 ? { choices: [{ message, finish_reason: "stop" }] } : {}));
  });
  world = await createWorld({
    services: { extractor },
    environment: {
      EXTERNAL_DOCUMENT_LOADER_URL: `http://127.0.0.1:${(reader.address() as AddressInfo).port}`,
      RAG_VISION_MODEL: "sees",
    },
  });
  await storeConnection(world, { base_url: `${provider.origin}/v1`, key: "sk-1" });
  ada = await world.person();
});
afterAll(async () => {
  reader.close();
  await provider.close();
  await world.close();
});

const contentOf = async (id: string) => {
  const { body } = await world.call<{ data: { status: string; code?: string; content?: string } }>(
    `/api/v1/files/${id}`,
    { as: ada },
  );
  return body.data;
};
const passagesOf = async (id: string) =>
  (
    await world.client.execute({
      sql: "SELECT text, page FROM file_chunks c JOIN files f ON f.id = c.file_id AND f.version = c.version WHERE f.id = ? ORDER BY position",
      args: [id],
    })
  ).rows // What a passage repeats of the one before is not what this is about.
    .map(({ text: passage, page }) => [String(passage).split("\n\n").at(-1), page]);

test("a file that nobody here can read is read by the service that is set up", async () => {
  received = [];
  const bytes = Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01"), Buffer.alloc(300)]);
  const id = await uploadAndRead(world, ada, bytes, "t\u00efdes.elf");
  expect(received).toEqual([{ name: "t%C3%AFdes.elf", body: bytes.toString() }]);
  expect(await contentOf(id)).toMatchObject({ status: "completed", content: "First page\n\nSecond page" });
  expect(await passagesOf(id)).toEqual([
    ["First page", 1],
    ["Second page", 2],
  ]);
  received = [];
  await uploadAndRead(world, ada, "Read here", "a.md");
  expect(received).toEqual([]);
});

test("pictures are read where they stand, patiently, and cut with the text around them", async () => {
  const picture = (page: number) => ({ type: "picture", page, contentType: "image/png", base64: "AA==" }) as const;
  events = [
    { type: "kind", contentType: "application/pdf", unit: "pages", total: 3 },
    { type: "text", text: "Typed", page: 1, label: null },
    {
      type: "passages",
      passages: [{ text: "Typed", headings: [], page: 1, label: null, start: 0, end: 5, tokens: 1 }],
    },
    picture(2),
    picture(3),
    { type: "end", pages: 3, title: null },
  ];
  pictureStatus = [200, 429, 503, 200];
  const id = await uploadAndRead(world, ada, "%PDF", "scan.pdf");
  events = undefined;
  const { status, content } = await contentOf(id);
  expect([status, content?.replaceAll(/\s+/g, " ").trim()]).toEqual(["completed", "Typed Picture 1 Picture 2"]);
  expect(await passagesOf(id)).toEqual([
    ["Typed", 1],
    ["Picture 1", 2],
    ["Picture 2", 3],
  ]);
});

test("an extractor that dies with a document again and again is the document's fault", async () => {
  events = [{ type: "text", text: "half", page: null, label: null }];
  const { id } = await upload(world, ada, "Heavy", { name: "heavy.md" });
  const attempt = async () => {
    await world.client.execute("UPDATE jobs SET due_at = 0");
    await runAllJobs(world);
  };
  await attempt();
  await attempt();
  expect(await contentOf(id)).toMatchObject({ status: "pending" });
  await attempt();
  events = undefined;
  expect(await contentOf(id)).toMatchObject({ status: "failed", code: "file_too_complex" });
});
