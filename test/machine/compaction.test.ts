import { expect, it, onTestFinished } from "vitest";
import { launcher, machineFigures } from "../metrics/metrics-world.ts";
import { createWorld } from "../world.ts";

it("a compaction on demand first runs every sweeper", async () => {
  const compacted: number[] = [];
  const machine = {
    ...launcher(() => Promise.resolve(machineFigures)),
    compact: () => Promise.resolve(compacted.push(1)),
  };
  const world = await createWorld({ services: { machine } });
  onTestFinished(() => world.close());
  const admin = await world.person({ role: "admin" });
  await world.client.execute("INSERT INTO dropped_blobs (key) VALUES ('files/gone')");
  const { status } = await world.call("/api/v1/machine/compactions", { as: admin, method: "POST" });
  expect([status, compacted.length]).toEqual([200, 1]);
  expect(world.logged.filter(({ level }) => level === "error")).toEqual([]);
  expect((await world.client.execute("SELECT * FROM dropped_blobs")).rows).toEqual([]);
});
