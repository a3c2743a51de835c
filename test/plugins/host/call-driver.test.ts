import { expect, it } from "vitest";
import type { PluginAfterwards, PluginCall } from "../../../src/plugins/plugin-host.ts";
import { CallDriver } from "../../../workers/plugin-host/call-driver.ts";

const answer = JSON.stringify({ ok: true, value: "done", streamed: false });

function begin(afterwards?: Partial<PluginAfterwards>, more: Partial<PluginCall> = {}) {
  const seen = { asked: [] as unknown[], chunks: [] as unknown[], ended: 0 };
  const driver = new CallDriver({
    method: "x",
    args: {},
    reserved: {},
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    capabilities: {
      emit: async (event) => void seen.asked.push(event),
      call: async (event) => void seen.asked.push(event),
      request: async (name) => void seen.asked.push(name),
    },
    onChunk: (chunk) => void seen.chunks.push(chunk),
    ...(afterwards
      ? { afterwards: { limitMs: 30_000, check: async () => undefined, ended: () => void seen.ended++, ...afterwards } }
      : {}),
    ...more,
  });
  return { driver, seen };
}

it("ends with its answer where nothing may go on", async () => {
  const { driver, seen } = begin();
  expect(await driver.rest(answer)).toBe("0");
  await driver.finish(answer);
  expect(await driver.result).toMatchObject({ ok: true, value: "done" });
  await driver.closed;
  await expect(driver.request("user.get", "{}")).rejects.toThrow("The call has ended");
  expect(seen.asked).toEqual([]);
});

it("serves what goes on after the answer, until it ends, but takes no further piece of the answer", async () => {
  const { driver, seen } = begin({});
  expect(await driver.rest(answer)).toBe("30000");
  expect(await driver.result).toMatchObject({ value: "done" });
  expect(driver.isResting).toBe(true);
  await driver.emit("1");
  await driver.request("user.get", "{}");
  await expect(driver.chunk("2")).rejects.toThrow("The function has answered already");
  expect(await driver.rest(answer)).toBe("0");
  await driver.finish(answer);
  await driver.closed;
  expect(driver.ended.aborted).toBe(false);
  for (const late of [driver.emit("3"), driver.call("4"), driver.request("user.get", "{}")])
    await expect(late).rejects.toThrow("The call has ended");
  expect(seen).toEqual({ asked: [1, "user.get"], chunks: [], ended: 1 });
});

it("gives no more time than the call has left", async () => {
  const { driver } = begin({}, { timeoutMs: 5000 });
  expect(Number(await driver.rest(answer))).toBeLessThanOrEqual(5000);
  driver.fail({ code: "aborted", message: "" });
});

it("tells the isolate when the time is up, and refuses what comes later", async () => {
  const { driver, seen } = begin({ limitMs: 20 });
  await driver.rest(answer);
  await driver.closed;
  expect(driver.ended.aborted).toBe(true);
  await expect(driver.request("user.get", "{}")).rejects.toThrow("The call has ended");
  expect(seen.ended).toBe(1);
});

it("ends with the first refusal, also of what was on its way", async () => {
  let mayGoOn = true;
  const check = async () => {
    if (!mayGoOn) throw new Error("No longer");
  };
  const { driver, seen } = begin({ check });
  await driver.rest(answer);
  await driver.request("user.get", "{}");
  mayGoOn = false;
  await expect(driver.request("user.get", "{}")).rejects.toThrow("No longer");
  mayGoOn = true;
  await expect(driver.emit("1")).rejects.toThrow("The call has ended");
  expect(driver.ended.aborted).toBe(true);
  expect(seen).toMatchObject({ asked: ["user.get"], ended: 1 });
});

it("keeps an answer that cannot be read from going on", async () => {
  const { driver } = begin({});
  await expect(driver.rest("{}")).rejects.toThrow();
  expect(driver.isResting).toBe(false);
});
