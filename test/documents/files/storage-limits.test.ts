import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Blobs } from "../../../src/ports.ts";
import { createMemoryBlobs } from "../../memory-blobs.ts";
import { createWorld, type Person, type RequestOptions, type World } from "../../world.ts";
import { fileForm, upload, type Content } from "./run-jobs.ts";

let world: World;
let admin: Person;
let ada: Person;
const blobs = createMemoryBlobs();
beforeEach(async () => {
  blobs.stored.clear();
  blobs.parts.clear();
  world = await createWorld({ services: { blobs } });
  admin = await world.admin();
  ada = await world.person();
});
afterEach(() => world.close());

const megabyte = 1_000_000;
const set = (name: string, value: unknown) =>
  world.client.execute({
    sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, 0)",
    args: [name, JSON.stringify(value)],
  });
interface Refused {
  id: string;
  code: string;
  detail: string;
}
const send = (content: Content, as = ada, query = "?process=false") =>
  world.call<Refused>(`/api/v1/files/${query}`, { as, method: "POST", body: fileForm(content) });
const bytes = (length: number) => new Uint8Array(length).fill(7);
/** A form that comes in pieces, and how many of them were taken. */
function streamed(length: number, { said }: { said: boolean }) {
  const head = Buffer.from('--XX\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n');
  const tail = Buffer.from("\r\n--XX--\r\n");
  let left = length;
  const taken = { bytes: 0 };
  let isHead = true;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isHead) {
          isHead = false;
          return controller.enqueue(new Uint8Array(head));
        }
        if (left > 0) {
          const piece = Math.min(left, 64 * 1024);
          left -= piece;
          taken.bytes += piece;
          return controller.enqueue(bytes(piece));
        }
        controller.enqueue(new Uint8Array(tail));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = {
    "content-type": "multipart/form-data; boundary=XX",
    // Of clients that wait for 100 Continue only that is taken which the service wants.
    expect: "100-continue",
    ...(said ? { "content-length": String(head.length + length + tail.length) } : {}),
  };
  const options = { as: ada, method: "POST", body, headers, duplex: "half" } as RequestOptions;
  return { taken, answer: () => world.call<Refused>("/api/v1/files/?process=false", options) };
}
const count = async (table: string) =>
  Number((await world.client.execute(`SELECT count(*) n FROM ${table}`)).rows[0]!["n"]);
/** Nothing is there but so many files. */
async function expectOnly(files: number) {
  await world.settled();
  expect([await count("files"), await count("uploads"), await count("dropped_uploads")]).toEqual([files, 0, 0]);
  expect([blobs.stored.size, blobs.parts.size]).toEqual([files, 0]);
  const { rows } = await world.client.execute("SELECT sum(held_bytes) AS held FROM person_totals");
  expect(rows[0]!["held"]).toBe(0);
}

describe("a person's storage", () => {
  it("holds what the limit says and no more; what is deleted makes room", async () => {
    await set("MAX_PERSON_STORAGE", 1);
    const first = await send(bytes(600_000));
    expect(first.status).toBe(200);
    const second = await send(bytes(400_001));
    expect([second.status, second.body.code]).toEqual([413, "storage_full"]);
    expect(second.body.detail).toBe(
      "Your storage is full: 600 kB of 1 MB are used, and this needs 400 kB. Delete files that you no longer need (Settings, Storage), or ask an administrator for more",
    );
    await expectOnly(1);
    expect((await send(bytes(400_000))).status).toBe(200);
    expect((await send("x")).status).toBe(413);
    // Others have their own.
    expect((await send("x", await world.person())).status).toBe(200);
    await world.call(`/api/v1/files/${first.body.id}`, { as: ada, method: "DELETE" });
    expect((await send(bytes(600_000))).status).toBe(200);
  });

  it("is without a limit at 0", async () => {
    await set("MAX_PERSON_STORAGE", 0);
    await world.client.execute("UPDATE person_totals SET bytes = 90000000000000");
    expect((await send("x")).status).toBe(200);
  });

  it("refuses what never fits, without a byte of it, when its length is said", async () => {
    await set("MAX_PERSON_STORAGE", 1);
    const { taken, answer } = streamed(3 * megabyte, { said: true });
    const { status, body } = await answer();
    expect([status, body.code, taken.bytes]).toEqual([413, "storage_full", 0]);
    expect(body.detail).toContain("you may store 1 MB in all");
    await expectOnly(0);
  });

  it("refuses what does not fit any more, without a byte of it, when its length is said", async () => {
    await set("MAX_PERSON_STORAGE", 10);
    await send(bytes(8 * megabyte));
    const { taken, answer } = streamed(3 * megabyte, { said: true });
    expect([(await answer()).status, taken.bytes]).toEqual([413, 0]);
    await expectOnly(1);
  });

  it("stops what was not announced, as soon as it is too much", async () => {
    await set("MAX_PERSON_STORAGE", 8);
    const written = vi.spyOn(blobs, "putPart" satisfies keyof Blobs);
    const { status, body } = await streamed(60 * megabyte, { said: false }).answer();
    expect([status, body.code]).toEqual([413, "storage_full"]);
    expect(written).toHaveBeenCalledTimes(1);
    written.mockRestore();
    await expectOnly(0);
  });

  it("is not exceeded by uploads at the same time", async () => {
    await set("MAX_PERSON_STORAGE", 1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(bytes(300_000))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 413, 413, 413, 413, 413]);
    await expectOnly(3);
    await set("MAX_PERSON_STORAGE", 20);
    const long = await Promise.all(Array.from({ length: 4 }, () => streamed(8 * megabyte, { said: false }).answer()));
    expect(long.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2);
    const { rows } = await world.client.execute({
      sql: "SELECT bytes FROM person_totals WHERE user_id = ?",
      args: [ada.id],
    });
    expect(Number(rows[0]!["bytes"])).toBeLessThanOrEqual(20 * megabyte);
  });

  it("counts what uploads in parts will need when they begin", async () => {
    await set("MAX_PERSON_STORAGE", 100);
    const begin = (size: number) =>
      world.call<Refused>("/api/v1/files/uploads", { as: ada, json: { filename: "a.bin", size } });
    expect(await begin(101 * megabyte)).toMatchObject({ status: 413, body: { code: "storage_full" } });
    const { body: first } = await begin(60 * megabyte);
    const second = await begin(60 * megabyte);
    expect(second).toMatchObject({ status: 413, body: { code: "storage_full" } });
    expect(second.body.detail).toContain("60 MB of 100 MB are used, and this needs 60 MB");
    expect(blobs.parts.size).toBe(1);
    await world.call(`/api/v1/files/uploads/${first.id}`, { as: ada, method: "DELETE" });
    expect((await begin(60 * megabyte)).status).toBe(200);
  });

  it("needs no round trip more", async () => {
    world.roundTrips.reset();
    await send("warm");
    world.roundTrips.reset();
    await send("some text");
    // The caller, the row of the upload, and the file.
    expect(world.roundTrips.count).toBe(3);
  });
});

describe("the storage of all", () => {
  it("is full for an organization with 507, by its own limit or the one for all", async () => {
    await set("MAX_ORGANIZATION_STORAGE", 1);
    const bob = await world.person({ name: "Bob" });
    await send(bytes(700_000), bob);
    const refused = await send(bytes(400_000));
    expect([refused.status, refused.body.code]).toEqual([507, "organization_storage_full"]);
    expect(refused.body.detail).toContain("700 kB of 1 MB are used, and this needs 400 kB");
    const { body } = await world.call<{ organizations: { id: string }[] }>("/api/v1/organizations", { as: admin });
    const path = `/api/v1/organizations/${body.organizations[0]!.id}`;
    const change = (max_storage: number | null) =>
      world.call(path, { as: admin, method: "PATCH", json: { max_storage } });
    expect(await change(2)).toMatchObject({
      status: 200,
      body: { max_storage: 2, storage_bytes: 700_000, file_count: 1 },
    });
    expect((await send(bytes(400_000))).status).toBe(200);
    await change(0);
    expect((await send(bytes(2 * megabyte))).status).toBe(200);
    await change(null);
    expect((await send("x")).status).toBe(507);
    await expectOnly(3);
  });

  it("is full for the service with 507", async () => {
    await set("MAX_SERVICE_STORAGE", 1);
    await send(bytes(700_000), admin);
    const { status, body } = await send(bytes(400_000));
    expect([status, body.code]).toEqual([507, "service_storage_full"]);
    await expectOnly(1);
  });
});

describe("the number", () => {
  it("of files is limited with 409", async () => {
    await set("MAX_FILES", 2);
    await send("1");
    const { body: second } = await send("2");
    const third = await send("3");
    expect([third.status, third.body.code]).toEqual([409, "limit_reached"]);
    expect(third.body.detail).toContain("You have 2 files, and you may have 2");
    await expectOnly(2);
    await world.call(`/api/v1/files/${second.id}`, { as: ada, method: "DELETE" });
    const answers = await Promise.all(["4", "5", "6"].map((text) => send(text)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  it("of files that wait to be read is limited with 429", async () => {
    await set("MAX_WAITING_JOBS", 2);
    await upload(world, ada, "1");
    await upload(world, ada, "2");
    const refused = await send("3", ada, "");
    expect([refused.status, refused.body.code]).toEqual([429, "too_many_requests"]);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(refused.body.detail).toBe(
      "Too many of your files wait to be read, 2 at most: try again when some of them are done",
    );
    // Those that are only stored do not wait, and others have their own.
    expect((await send("3")).status).toBe(200);
    expect((await send("3", admin, "")).status).toBe(200);
    const begun = await world.call("/api/v1/files/uploads", { as: ada, json: { filename: "a.bin", size: 5 } });
    expect(begun.status).toBe(429);
  });
});

it("leaves nothing when storage fails after the row was there", async () => {
  const broken = vi.spyOn(blobs, "put" satisfies keyof Blobs).mockRejectedValueOnce(new Error("broken"));
  expect((await send(bytes(300_000))).status).toBe(500);
  broken.mockRestore();
  await expectOnly(0);
});
