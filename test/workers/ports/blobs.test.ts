import { expect, test } from "vitest";
import { createBlobs } from "../../../workers/ports/blobs.ts";

const bytes = new Uint8Array(10_000_000);

/** What is written to a bucket beside so much room. */
async function writeWith(freeBytes: (() => Promise<number>) | undefined): Promise<string[]> {
  const written: string[] = [];
  const bucket = {
    put: (key: string) => Promise.resolve(written.push(key)),
    resumeMultipartUpload: (key: string) => ({
      uploadPart: (number: number) => Promise.resolve({ etag: written.push(`${key} ${number}`) }),
    }),
  } as unknown as R2Bucket;
  const blobs = createBlobs({ BLOBS: bucket }, freeBytes && { freeBytes });
  for (const write of [() => blobs.put("a", bytes), () => blobs.putPart("b", "1", 1, bytes)])
    await write().catch(({ code, status }: { code: string; status: number }) => written.push(`${code} ${status}`));
  return written;
}

test("nothing is written that the disk has no room for", async () => {
  expect(await writeWith(() => Promise.resolve(1000))).toEqual(["disk_full 507", "disk_full 507"]);
});

test("everything is written with room, or where nobody knows", async () => {
  for (const freeBytes of [
    () => Promise.resolve(20_000_000),
    () => Promise.reject(new Error("no launcher")),
    undefined,
  ])
    expect(await writeWith(freeBytes)).toEqual(["a", "b 1"]);
});
