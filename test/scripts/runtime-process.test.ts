import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { planRuntimeProcess } from "../../scripts/launch/runtime-process.ts";

test("another program on its port is not taken for the service, though it answers 200", async () => {
  let asked = 0;
  let body = "";
  const server = createServer((_, response) => {
    asked += 1;
    response.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { untilReady } = planRuntimeProcess({
    configuration: () => Buffer.alloc(0),
    state: "",
    health: { host: "127.0.0.1", port },
    controlSocket: "",
    inspectorPort: undefined,
  });
  let isReady = false;
  const ready = untilReady(new AbortController().signal).then(() => (isReady = true));
  await expect.poll(() => asked).toBeGreaterThan(2);
  expect(isReady).toBe(false);
  body = '{"status":true}';
  await ready;
  server.close();
});
