import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAnswerWriter, type AnswerStore } from "../../../src/chat/conversations/answer-writer.ts";
import type { Database } from "../../../src/db/client.ts";

const place = { chatId: "c", messageId: "m", runId: "r" };
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const services = { db: {} as Database, now: () => 0, log };
const writeProgress = vi.fn<AnswerStore["writeProgress"]>();
const finishAnswer = vi.fn<AnswerStore["finishAnswer"]>();
const start = (onLost: () => void = () => undefined) =>
  createAnswerWriter(services, place, onLost, { writeProgress, finishAnswer });
const text = (content: string) => ({ content, reasoning: "" });
const end = { ...text("end"), state: "done" as const };

beforeEach(() => {
  vi.useFakeTimers();
  writeProgress.mockReset().mockResolvedValue(true);
  finishAnswer.mockReset().mockResolvedValue(true);
});
afterEach(() => void vi.useRealTimers());

describe("an answer on its way into the database", () => {
  it("is stored every 400 ms, with all that has come by then", async () => {
    const writer = start();
    for (let at = 1; at <= 100; at++) {
      writer.update(text("x".repeat(at)));
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(writeProgress.mock.calls.map(([, , stored]) => stored.content.length)).toEqual([40, 80]);
    await writer.finish(end);
    expect(finishAnswer).toHaveBeenCalledExactlyOnceWith(services, place, end);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(writeProgress).toHaveBeenCalledTimes(2);
  });

  it("is stored sooner when a lot has come, one step at a time", async () => {
    let finish: (isMine: boolean) => void = () => undefined;
    writeProgress.mockImplementation(() => new Promise((resolve) => (finish = resolve)));
    const writer = start();
    writer.update(text("x".repeat(9000)));
    await vi.advanceTimersByTimeAsync(120);
    expect(writeProgress).toHaveBeenCalledTimes(1);
    writer.update(text("x".repeat(20_000)));
    await vi.advanceTimersByTimeAsync(5000);
    expect(writeProgress).toHaveBeenCalledTimes(1);
    finish(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(writeProgress).toHaveBeenCalledTimes(2);
    const ended = writer.finish(end);
    await vi.advanceTimersByTimeAsync(0);
    expect(finishAnswer).not.toHaveBeenCalled();
    finish(true);
    expect(await ended).toBe(true);
  });

  it("gives a sign of life every 30 s of silence", async () => {
    const writer = start();
    await vi.advanceTimersByTimeAsync(119_000);
    expect(writeProgress).toHaveBeenCalledTimes(3);
    await writer.finish(end);
  });

  it("is written again after a step that failed", async () => {
    writeProgress.mockRejectedValueOnce(new Error("away"));
    const writer = start();
    writer.update(text("a"));
    await vi.advanceTimersByTimeAsync(400);
    writer.update(text("ab"));
    await vi.advanceTimersByTimeAsync(400);
    expect(writeProgress.mock.calls.map(([, , stored]) => stored.content)).toEqual(["a", "ab"]);
    expect(log.warn).toHaveBeenCalled();
    await writer.finish(end);
  });

  it("tries its end again, but not for ever", async () => {
    finishAnswer.mockRejectedValueOnce(new Error("away")).mockRejectedValueOnce(new Error("away"));
    const ended = start().finish(end);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await ended).toBe(true);
    finishAnswer.mockRejectedValue(new Error("gone"));
    const outcome = start()
      .finish(end)
      .catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toBe("gone");
  });

  it("tells that nobody will see what else is written", async () => {
    writeProgress.mockResolvedValue(false);
    const onLost = vi.fn();
    const writer = start(onLost);
    writer.update(text("a"));
    await vi.advanceTimersByTimeAsync(400);
    expect(onLost).toHaveBeenCalledTimes(1);
    await writer.finish(end);
  });
});
