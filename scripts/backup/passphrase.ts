import { ReadableStream } from "node:stream/web";
import { Decrypter, Encrypter } from "age-encryption";
import { StartError } from "../launch/start-error.ts";

/** How files of age begin (https://age-encryption.org/v1). */
const ageHead = Buffer.from("age-encryption.org/v1\n");

export async function* encrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  yield* buffersOf(await encrypter.encrypt(webStream(source)));
}

/**
 * What is behind the passphrase, or the source itself where there is none.
 * @throws StartError when one is needed, or is wrong
 */
export async function* decrypt(source: AsyncIterable<Buffer>, passphrase: string | undefined): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < ageHead.length) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = (async function* () {
    yield head;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  })();
  if (!head.subarray(0, ageHead.length).equals(ageHead)) return yield* whole;
  if (passphrase === undefined) {
    const advice = "Set BACKUP_PASSPHRASE_FILE or BACKUP_PASSPHRASE.";
    throw new StartError(`This backup has a passphrase, and none is given. ${advice}`, "usage");
  }
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const plain = await decrypter.decrypt(webStream(whole)).catch((error: unknown) => {
    if (!/no identity matched/.test(String(error))) throw error;
    throw new StartError("The passphrase is not the one of this backup.", "noPermission");
  });
  return yield* buffersOf(plain);
}

function webStream(source: AsyncIterable<Buffer>): globalThis.ReadableStream<Uint8Array> {
  return ReadableStream.from(source) as unknown as globalThis.ReadableStream<Uint8Array>;
}

async function* buffersOf(stream: globalThis.ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
