import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { startFront, type Front } from "../../scripts/launch/front.ts";

const open: { close(): unknown }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

/** More than all buffers on the way hold. */
const length = 64 * 1024 * 1024;

/** A runtime that sends a lot to everyone, behind a front. */
async function startBoth(stallMs: number) {
  const runtime = createServer((socket) => socket.on("error", () => undefined).end(Buffer.alloc(length)));
  runtime.listen(0, "127.0.0.1");
  await once(runtime, "listening");
  const { port: runtimePort } = runtime.address() as AddressInfo;
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const front: Front = await startFront({ host: "127.0.0.1", port }, { host: "127.0.0.1", port: runtimePort }, stallMs);
  open.push(runtime, front);
  const accepted = once(runtime, "connection") as Promise<[Socket]>;
  const caller = connect(port, "127.0.0.1");
  open.push({ close: () => caller.destroy() });
  const [inner] = await accepted;
  return { caller, inner };
}

it("resets a caller who takes nothing for long, and the connection behind it", async () => {
  const { caller, inner } = await startBoth(50);
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => caller.once("error", resolve));
  caller.pause();
  await new Promise((resolve) => inner.once("close", resolve));
  caller.resume();
  expect((await failed).code).toBe("ECONNRESET");
});

it("lets those who read have everything", async () => {
  const { caller } = await startBoth(10_000);
  let got = 0;
  for await (const bytes of caller) got += (bytes as Buffer).length;
  expect(got).toBe(length);
});
