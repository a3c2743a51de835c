import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AnswerText } from "../../../src/chat/answer-text.ts";
import { createAnswerWriter, type AnswerStore } from "../../../src/chat/conversations/answer-writer.ts";
import type { Database } from "../../../src/db/client.ts";

const place = { chatId: "c", messageId: "m", runId: "r" };
const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const services = { db: {} as Database, now: () => 0, log };
const writeProgress = vi.fn<AnswerStore["writeProgress"]>();
const finishAnswer = vi.fn<AnswerStore["finishAnswer"]>();
const end = { state: "done" as const };

function start({ text = new AnswerText(), onLost = () => undefined as void } = {}) {
  return { text, writer: createAnswerWriter(services, place, text, onLost, { writeProgress, finishAnswer }) };
}

/** What the steps so far add up to, as the database does it. */
function steps() {
  return writeProgress.mock.calls.map(([, , step]) => step);
}

beforeEach(() => {
  vi.useFakeTimers();
  writeProgress.mockReset().mockResolvedValue(true);
  finishAnswer.mockReset().mockResolvedValue(true);
});
afterEach(() => void vi.useRealTimers());

describe("an answer on its way into the database", () => {
  it("is stored every 400 ms, what has come by then", async () => {
    const { text, writer } = start();
    for (let at = 1; at <= 100; at++) {
      text.append({ content: "x" });
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(steps()).toEqual([
      { number: 1, isWhole: false, content: "x".repeat(40), reasoning: "" },
      { number: 2, isWhole: false, content: "x".repeat(40), reasoning: "" },
    ]);
    await writer.finish(end);
    const rest = { number: 3, isWhole: false, content: "x".repeat(20), reasoning: "" };
    expect(finishAnswer).toHaveBeenCalledExactlyOnceWith(services, place, end, rest);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(writeProgress).toHaveBeenCalledTimes(2);
  });

  it("does not store again what it goes on from", async () => {
    const { text, writer } = start({ text: new AnswerText({ content: "Before. ", reasoning: "hm" }) });
    text.append({ content: "After.", reasoning: "!" });
    await writer.finish(end);
    expect(finishAnswer.mock.calls[0]![3]).toEqual({ number: 1, isWhole: false, content: "After.", reasoning: "!" });
  });

  it("is stored as a whole after it was replaced", async () => {
    const { text, writer } = start();
    text.append({ content: "Wrong", reasoning: "hm" });
    await vi.advanceTimersByTimeAsync(400);
    text.replace("Right");
    text.append({ content: "!" });
    await vi.advanceTimersByTimeAsync(400);
    text.append({ content: "?" });
    await writer.finish(end);
    expect(steps()[1]).toEqual({ number: 2, isWhole: true, content: "Right!", reasoning: "hm" });
    expect(finishAnswer.mock.calls[0]![3]).toEqual({ number: 3, isWhole: false, content: "?", reasoning: "" });
  });

  it("never cuts a character in two", async () => {
    const { text, writer } = start();
    text.append({ content: "a\ud83d" });
    await vi.advanceTimersByTimeAsync(400);
    text.append({ content: "\ude00b" });
    await writer.finish(end);
    expect(steps()[0]!.content).toBe("a");
    expect(finishAnswer.mock.calls[0]![3]!.content).toBe("😀b");
  });

  it("is stored sooner when a lot has come, one step at a time", async () => {
    let finish: (isMine: boolean) => void = () => undefined;
    writeProgress.mockImplementation(() => new Promise((resolve) => (finish = resolve)));
    const { text, writer } = start();
    text.append({ content: "x".repeat(9000) });
    await vi.advanceTimersByTimeAsync(120);
    expect(writeProgress).toHaveBeenCalledTimes(1);
    text.append({ content: "x".repeat(11_000) });
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

  it("is stored at once where somebody has to wait for it", async () => {
    const { text, writer } = start();
    text.append({ content: "x" });
    await text.settle();
    expect(steps()).toEqual([{ number: 1, isWhole: false, content: "x", reasoning: "" }]);
    await text.settle();
    expect(steps()).toHaveLength(1);
    await writer.finish(end);
  });

  it("gives a sign of life every 30 s of silence", async () => {
    const { writer } = start();
    await vi.advanceTimersByTimeAsync(119_000);
    expect(steps()).toEqual([1, 2, 3].map((number) => ({ number, isWhole: false, content: "", reasoning: "" })));
    await writer.finish(end);
  });

  it("tries a step that failed again as it was: it may be stored all the same", async () => {
    writeProgress.mockRejectedValueOnce(new Error("away"));
    const { text, writer } = start();
    text.append({ content: "a" });
    await vi.advanceTimersByTimeAsync(400);
    text.append({ content: "b" });
    await vi.advanceTimersByTimeAsync(400);
    expect(steps()).toEqual([
      { number: 1, isWhole: false, content: "a", reasoning: "" },
      { number: 1, isWhole: false, content: "a", reasoning: "" },
    ]);
    expect(log.warn).toHaveBeenCalled();
    await writer.finish(end);
    expect(finishAnswer.mock.calls[0]![3]).toEqual({ number: 2, isWhole: false, content: "b", reasoning: "" });
  });

  it("brings a step that failed in before its end", async () => {
    writeProgress.mockRejectedValueOnce(new Error("away"));
    const { text, writer } = start();
    text.append({ content: "a" });
    await vi.advanceTimersByTimeAsync(400);
    text.append({ content: "b" });
    await writer.finish(end);
    expect(steps().map((step) => [step.number, step.content])).toEqual([
      [1, "a"],
      [1, "a"],
    ]);
    expect(finishAnswer.mock.calls[0]![3]).toMatchObject({ number: 2, content: "b" });
  });

  it("tries its end again, but not for ever", async () => {
    finishAnswer.mockRejectedValueOnce(new Error("away")).mockRejectedValueOnce(new Error("away"));
    const ended = start().writer.finish(end);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await ended).toBe(true);
    finishAnswer.mockRejectedValue(new Error("gone"));
    const outcome = start()
      .writer.finish(end)
      .catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toBe("gone");
  });

  it("tells that nobody will see what else is written", async () => {
    writeProgress.mockResolvedValue(false);
    const onLost = vi.fn();
    const { text, writer } = start({ onLost });
    text.append({ content: "a" });
    await vi.advanceTimersByTimeAsync(400);
    expect(onLost).toHaveBeenCalledTimes(1);
    await writer.finish(end);
  });
});
