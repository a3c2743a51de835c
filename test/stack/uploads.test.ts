import { createHash } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startParley, type Parley } from "./start-parley.ts";
import { openDatabase, readStorage } from "./stored-files.ts";

let parley: Parley;
let headers: { authorization: string };
beforeAll(async () => {
  parley = await startParley({ env: { RAG_FILE_MAX_SIZE: "30" } });
  const person = { name: "Ada", email: "ada@harbour.example", password: "correct horse battery" };
  const response = await fetch(`${parley.url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
  });
  headers = { authorization: `Bearer ${((await response.json()) as { token: string }).token}` };
});
afterAll(() => parley.stop());

interface View {
  id: string;
  hash: string;
  part_size: number;
  parts: number;
}
const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${parley.url}/api/v1/files/${path}`, { ...init, headers: { ...headers, ...init.headers } });
const view = async (answer: Promise<Response>) => (await (await answer).json()) as View;
const size = 20_000_003;
const bytes = new Uint8Array(size);
for (let at = 0; at < size; at += 1000) bytes[at] = (at / 1000) % 251;
const hash = createHash("sha256").update(bytes).digest("hex");

test("a large file comes through whole, as a form and in parts, and goes out in ranges", async () => {
  const form = new FormData();
  form.append("file", new Blob([bytes]), "large.bin");
  const whole = await view(ask("?process=false", { method: "POST", body: form }));
  expect(whole.hash).toBe(hash);
  const json = { "content-type": "application/json" };
  const begin = JSON.stringify({ filename: "large.bin", size, process: false, metadata: { file_hash: hash } });
  const upload = await view(ask("uploads", { method: "POST", headers: json, body: begin }));
  for (let number = upload.parts; number >= 1; number--) {
    const body = bytes.slice((number - 1) * upload.part_size, number * upload.part_size);
    expect((await ask(`uploads/${upload.id}/parts/${number}`, { method: "PUT", body })).status).toBe(200);
  }
  const joined = await view(ask(`uploads/${upload.id}/complete`, { method: "POST" }));
  expect([joined.id, joined.hash]).toEqual([upload.id, hash]);
  for (const { id } of [whole, joined]) {
    const range = await ask(`${id}/content`, { headers: { range: "bytes=19999000-" } });
    expect([range.status, Buffer.from(await range.arrayBuffer())]).toEqual([206, Buffer.from(bytes.slice(19_999_000))]);
    expect((await ask(id, { method: "DELETE" })).status).toBe(200);
  }
});

test("what is too large is refused in words, and what breaks off leaves nothing", async () => {
  const form = new FormData();
  form.append("file", new Blob([bytes, bytes]), "larger.bin");
  const refused = await ask("", { method: "POST", body: form });
  expect([refused.status, await refused.json()]).toMatchObject([413, { code: "payload_too_large" }]);

  const { hostname, port } = new URL(parley.url);
  const head = `POST /api/v1/files/ HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${headers.authorization}\r\nContent-Type: multipart/form-data; boundary=XX\r\nContent-Length: 25000000\r\n\r\n--XX\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.write(head);
  socket.write(bytes);
  const db = openDatabase(parley);
  const uploads = async () => (await db.execute("SELECT storage_id <> id AS begun FROM uploads")).rows;
  // Its first parts are in object storage when the sender goes away.
  await expect.poll(async () => (await uploads())[0]?.["begun"], { timeout: 20_000 }).toBe(1);
  socket.destroy();
  await expect.poll(async () => (await uploads()).length, { timeout: 20_000 }).toBe(0);
  const dropped = "SELECT count(*) AS n FROM dropped_uploads";
  await expect.poll(async () => (await db.execute(dropped)).rows[0]!["n"], { timeout: 20_000 }).toBe(0);
  // The timer takes away what was deleted above.
  const blobs = "SELECT count(*) AS n FROM dropped_blobs";
  await expect.poll(async () => (await db.execute(blobs)).rows[0]!["n"], { timeout: 90_000 }).toBe(0);
  db.close();
  await parley.kill9();
  expect(readStorage(parley.dataDir)).toEqual({ keys: [], openUploads: 0 });
}, 150_000);
