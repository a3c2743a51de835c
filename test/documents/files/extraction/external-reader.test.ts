import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { externalReading, readExternally } from "../../../../src/documents/files/extraction/external-reader.ts";
import { JobFailure } from "../../../../src/jobs/job-failure.ts";

const key = "reader-secret-123";
const now = 1_800_000_000;
let asked: { request: IncomingMessage; body: Buffer } | undefined;
let answer: (response: ServerResponse) => void = () => undefined;
const server = createServer((request, response) => {
  void buffer(request).then((body) => {
    asked = { request, body };
    answer(response);
  });
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const contextOf = (url: string, engine = "") =>
  ({
    settings: {
      EXTERNAL_DOCUMENT_LOADER_URL: url,
      EXTERNAL_DOCUMENT_LOADER_API_KEY: key,
      CONTENT_EXTRACTION_ENGINE: engine,
    },
    outbound: { trusted: fetch, guarded: fetch },
    now: () => now,
  }) as unknown as Parameters<typeof readExternally>[0];

function read(signal = new AbortController().signal) {
  const { port } = server.address() as AddressInfo;
  const document = {
    filename: "Übersicht 1.pdf",
    contentType: "application/pdf",
    body: new Blob(["%PDF-1.7"]).stream(),
  };
  return readExternally(contextOf(`http://127.0.0.1:${port}/reader/`), document, signal);
}

const json = (value: unknown, status = 200, headers = {}) => {
  answer = (response) => void response.writeHead(status, headers).end(JSON.stringify(value));
};

test("sends the bytes with name, type and key, and takes one text", async () => {
  json({ page_content: "All of it", metadata: { source: "x" } });
  await expect(read()).resolves.toEqual([{ text: "All of it", page: null, label: null }]);
  expect(asked!.request).toMatchObject({ method: "PUT", url: "/reader/process" });
  expect(asked!.request.headers).toMatchObject({
    authorization: `Bearer ${key}`,
    "content-type": "application/pdf",
    "x-filename": "%C3%9Cbersicht%201.pdf",
  });
  expect(asked!.body.toString()).toBe("%PDF-1.7");
});

test("takes several texts as pages where they are pages", async () => {
  const page = (text: string, number: number) => ({ page_content: text, metadata: { page: number, page_label: "iv" } });
  json([page("one", 0), page(" ", 1), page("three", 2)]);
  await expect(read()).resolves.toEqual([
    { text: "one", page: 1, label: "iv" },
    { text: "three", page: 3, label: "iv" },
  ]);
  json([{ page_content: "one" }, { page_content: "two" }]);
  await expect(read()).resolves.toMatchObject([{ page: null }, { page: null }]);
});

test.each([
  ["no text", 200, { page_content: " \n" }, { code: "file_no_text", final: true }],
  [
    "something else",
    200,
    { text: "words" },
    { code: "reader_failed", final: true, message: expect.stringMatching(/page_content/) as string },
  ],
  [
    "a refusal",
    415,
    { detail: `no such type, ${key}` },
    { final: true, message: expect.stringMatching(/reader: no such type, \[redacted\]/) as string },
  ],
  ["too much to do", 503, {}, { final: false, retryAfter: 20, message: expect.stringMatching(/status 503/) as string }],
  ["another address", 302, {}, { final: true, message: expect.stringMatching(/status 302/) as string }],
])("says what it means that the answer is %s", async (_, status, value, expected) => {
  json(value, status, { "retry-after": "20", location: "http://127.0.0.1:1/" });
  const error: unknown = await read().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(JobFailure);
  expect(error).toMatchObject(expected);
});

test("reads no endless answer", async () => {
  answer = (response) => {
    const more = () => {
      while (response.write("x".repeat(100_000)));
      response.once("drain", more);
    };
    more();
  };
  await expect(read()).rejects.toMatchObject({
    code: "reader_failed",
    final: true,
    message: expect.stringMatching(/too large/) as string,
  });
});

test("can be tried again where nobody answers, and ends with its job", async () => {
  const document = { filename: "a", contentType: "text/plain", body: new Blob(["a"]).stream() };
  const nobody = readExternally(contextOf("http://127.0.0.1:1"), document, new AbortController().signal);
  await expect(nobody).rejects.toMatchObject({ code: "reader_failed", final: false });
  answer = () => undefined;
  const job = new AbortController();
  const reading = read(job.signal);
  job.abort();
  await expect(reading).rejects.not.toBeInstanceOf(JobFailure);
});

test("is there for all files, for the rest of them, or not at all", () => {
  expect(externalReading(contextOf(""))).toBe("none");
  expect(externalReading(contextOf("", "external"))).toBe("none");
  expect(externalReading(contextOf("http://reader.test"))).toBe("rest");
  expect(externalReading(contextOf("http://reader.test", "external"))).toBe("all");
});
