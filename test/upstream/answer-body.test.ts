import { describe, expect, it } from "vitest";
import { createAnswerStream } from "../../src/upstream/answers/answer-stream.ts";
import { readUpstreamAnswer } from "../../src/upstream/answers/read-upstream-answer.ts";
import { checkStream } from "../grammar/chat-completions.ts";
import { createManualTimers } from "./manual-timers.ts";
import { repairStream } from "./repair-upstream-body.ts";
import { bodyOf, chunk, decode, done, encode, frame, readAll, say, start, stop, stream } from "./streams.ts";

const events = { "content-type": "text/event-stream" };
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A body that is written by hand. */
function manualBody() {
  const state = { cancelled: false, reason: undefined as unknown };
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: (reason) => {
      state.cancelled = true;
      state.reason = reason;
    },
  });
  return {
    body,
    state,
    write: (text: string) => controller.enqueue(encode(text)),
    close: () => controller.close(),
    fail: (error: Error) => controller.error(error),
  };
}

describe("reading", () => {
  it("takes from the upstream only what the caller reads", async () => {
    const pieces = Array.from({ length: 100 }, (_, at) => frame(say(String(at))));
    const { body, state } = bodyOf([frame(start), ...pieces, frame(stop), frame(done)]);
    const timers = createManualTimers();
    const reader = repairStream(body, { model: "m", timers }).getReader();
    await settled();
    expect(state.pulled).toBe(0);
    await reader.read();
    timers.advance(5);
    await reader.read();
    await settled();
    expect(state.pulled).toBe(2);
  });

  it("gives one piece for each piece of the upstream", async () => {
    const { body } = bodyOf([stream(start, say("a"), say("b")), stream(say("c"), stop), frame(done)]);
    const reader = repairStream(body, { model: "m" }).getReader();
    const first = await reader.read();
    expect(decode(first.value ?? new Uint8Array())).toBe(stream(start, say("a"), say("b")));
  });

  it("gives the first piece at once and those of the next five milliseconds together, even if nothing follows", async () => {
    const timers = createManualTimers();
    const upstream = manualBody();
    const reader = repairStream(upstream.body, { model: "m", timers }).getReader();
    const texts: string[] = [];
    const read = async () => {
      const { value } = await reader.read();
      texts.push(decode(value ?? new Uint8Array()));
    };
    upstream.write(frame(start));
    await read();
    const second = read();
    for (const word of ["a", "b", "c"]) {
      upstream.write(frame(say(word)));
      await settled();
    }
    expect(texts).toEqual([frame(start)]);
    timers.advance(5);
    await second;
    expect(texts[1]).toBe(stream(say("a"), say("b"), say("c")));
    timers.advance(5);
    upstream.write(frame(say("d")));
    await read();
    expect(texts[2]).toBe(frame(say("d")));
    upstream.close();
    await reader.cancel();
    expect(timers.pending).toBe(0);
  });

  it("holds no more than a write's worth of a fast upstream", async () => {
    const timers = createManualTimers();
    const text = "x".repeat(30_000);
    const { body } = bodyOf([
      frame(start),
      ...Array.from({ length: 10 }, () => frame(say(text))),
      frame(stop),
      frame(done),
    ]);
    const reader = repairStream(body, { model: "m", timers }).getReader();
    await reader.read();
    const { value } = await reader.read();
    expect(value?.length).toBeGreaterThan(65_536);
    expect(value?.length).toBeLessThan(3 * 31_000);
    await reader.cancel();
  });

  it("goes on where a piece of the upstream gives nothing to send", async () => {
    const { body } = bodyOf([": a comment\n\n", "data: {", frame(start).slice(7), stream(stop, done)]);
    const bytes = await readAll(repairStream(body, { model: "m" }));
    expect(checkStream(bytes, { usage: false }).error).toBeUndefined();
  });

  it("ends with the error event where the connection breaks, and keeps what came", async () => {
    const { body } = bodyOf([stream(start, say("Hel"))], new Error("read ECONNRESET"));
    const checked = checkStream(await readAll(repairStream(body, { model: "m" })), { usage: false });
    expect(checked.error).toMatchObject({ code: "upstream_disconnected" });
    expect(checked.content.get(0)).toBe("Hel");
  });

  it("ends with an error of the upstream, which is then let go", async () => {
    const { body, state } = bodyOf([stream(start, say("Hel")), frame({ error: { message: "M" } })], "hang");
    const checked = checkStream(await readAll(repairStream(body, { model: "m" })), { usage: false });
    expect(checked.error).toMatchObject({ message: "M" });
    expect(state.isCancelled).toBe(true);
  });

  it("ends whole where the connection breaks after every finish reason", async () => {
    const { body } = bodyOf([stream(start, say("a"), stop)], new Error("read ECONNRESET"));
    expect(checkStream(await readAll(repairStream(body, { model: "m" })), { usage: false }).finish.get(0)).toBe("stop");
  });
});

describe("the end", () => {
  it("is told as soon as [DONE] is there, even if the upstream keeps its connection open", async () => {
    const timers = createManualTimers();
    const upstream = manualBody();
    const reader = repairStream(upstream.body, { model: "m", timers }).getReader();
    upstream.write(stream(start, stop, done));
    expect(decode((await reader.read()).value ?? new Uint8Array())).toContain("[DONE]");
    const end = reader.read();
    await settled();
    timers.advance(250);
    expect((await end).done).toBe(true);
    expect(upstream.state.cancelled).toBe(true);
    expect(timers.pending).toBe(0);
  });

  it("lets the upstream end by itself, so that its connection can be used again", async () => {
    const timers = createManualTimers();
    const upstream = manualBody();
    const all = readAll(repairStream(upstream.body, { model: "m", timers }));
    upstream.write(stream(start, stop, done));
    await settled();
    upstream.close();
    await all;
    expect(upstream.state.cancelled).toBe(false);
    expect(timers.pending).toBe(0);
  });

  it("is assumed some time after every finish reason, where nothing else comes", async () => {
    const timers = createManualTimers();
    const upstream = manualBody();
    const all = readAll(repairStream(upstream.body, { model: "m", timers }));
    upstream.write(stream(start, say("a"), stop));
    await settled();
    timers.advance(10_000);
    const checked = checkStream(await all, { usage: false });
    expect(checked.finish.get(0)).toBe("stop");
    expect(upstream.state.cancelled).toBe(true);
  });

  it("is not assumed as long as a choice that was asked for has not begun", async () => {
    const timers = createManualTimers();
    const upstream = manualBody();
    const all = readAll(repairStream(upstream.body, { model: "m", timers, choices: 2 }));
    upstream.write(stream(start, say("a"), stop));
    await settled();
    timers.advance(14_000);
    upstream.write(stream(chunk({ content: "b" }, { index: 1, finish: "stop" }), done));
    upstream.close();
    expect([...checkStream(await all, { usage: false }).content.values()]).toEqual(["a", "b"]);
  });

  it("comes as an error where the upstream falls silent for too long", async () => {
    const timers = createManualTimers();
    const upstream = manualBody();
    const all = readAll(repairStream(upstream.body, { model: "m", timers, idleTimeoutMs: 60_000, keepAliveMs: 1e9 }));
    upstream.write(stream(start, say("a")));
    await settled();
    timers.advance(59_999);
    expect(upstream.state.cancelled).toBe(false);
    timers.advance(1);
    const checked = checkStream(await all, { usage: false });
    expect(checked.error).toMatchObject({ code: "upstream_timeout", status: 504 });
    expect(upstream.state.cancelled).toBe(true);
  });
});

describe("silence", () => {
  it("is filled with a comment line every 15 s, and not while something comes", async () => {
    const timers = createManualTimers();
    const upstream = manualBody();
    const reader = repairStream(upstream.body, { model: "m", timers }).getReader();
    const read = async (): Promise<string> => decode((await reader.read()).value ?? new Uint8Array());
    const first = read();
    await settled();
    timers.advance(15_000);
    expect(await first).toBe(": keep-alive\n\n");
    const second = read();
    timers.advance(14_000);
    upstream.write(frame(start));
    expect(await second).toBe(frame(start));
    const third = read();
    await settled();
    timers.advance(14_999);
    timers.advance(1);
    expect(await third).toBe(": keep-alive\n\n");
    const fourth = read();
    upstream.write(stream(stop, done));
    upstream.close();
    expect(await fourth).toBe(stream(stop, done));
    expect((await reader.read()).done).toBe(true);
    expect(timers.pending).toBe(0);
  });

  it("is not filled where nobody reads", async () => {
    const timers = createManualTimers();
    const upstream = manualBody();
    const reader = repairStream(upstream.body, { model: "m", timers, idleTimeoutMs: 1e9 }).getReader();
    timers.advance(200_000);
    const first = reader.read();
    upstream.write(frame(start));
    expect(decode((await first).value ?? new Uint8Array())).toBe(frame(start));
  });

  it("of an upstream that has not even answered is filled from the caller's first second on", async () => {
    const timers = createManualTimers();
    const answering = Promise.withResolvers<Response>();
    const asked = readUpstreamAnswer(answering.promise, { stream: true, model: "m", timers });
    timers.advance(10_000);
    const answer = await asked;
    if (answer.kind !== "stream") throw new Error("expected a stream");
    const reader = answer.body.getReader();
    const first = reader.read();
    await settled();
    timers.advance(5_000);
    expect(decode((await first).value ?? new Uint8Array())).toBe(": keep-alive\n\n");
    const second = reader.read();
    answering.resolve(new Response(stream(start, say("a"), stop, done), { headers: events }));
    expect(decode((await second).value ?? new Uint8Array())).toContain('"content":"a"');
  });
});

describe("a caller who leaves", () => {
  it("cancels the upstream at once, in the middle of a read", async () => {
    const upstream = manualBody();
    const reader = repairStream(upstream.body, { model: "m" }).getReader();
    upstream.write(frame(start));
    await reader.read();
    const pending = reader.read();
    await settled();
    await reader.cancel("gone");
    expect(upstream.state).toMatchObject({ cancelled: true, reason: "gone" });
    expect((await pending).done).toBe(true);
  });

  it("cancels the upstream before the first byte", async () => {
    const upstream = manualBody();
    const timers = createManualTimers();
    const reader = repairStream(upstream.body, { model: "m", timers }).getReader();
    const pending = reader.read();
    await settled();
    await reader.cancel("gone");
    expect(upstream.state.cancelled).toBe(true);
    expect((await pending).done).toBe(true);
    expect(timers.pending).toBe(0);
  });

  it("cancels the upstream without ever having read", async () => {
    const upstream = manualBody();
    await repairStream(upstream.body, { model: "m" }).cancel("gone");
    await settled();
    expect(upstream.state).toMatchObject({ cancelled: true, reason: "gone" });
  });

  it("after the end of the answer cancels nothing: neither the fetch nor what is stored", async () => {
    const cancelled: unknown[] = [];
    const answer = createAnswerStream(new Response(stream(start, say("Hi"), stop, done), { headers: events }), {
      model: "m",
      onCancel: (reason) => cancelled.push(reason),
    });
    while ((await answer.next()) !== undefined);
    answer.cancel("gone");
    expect(await answer.next()).toBeUndefined();
    expect(cancelled).toEqual([]);
    expect(await answer.finished).toMatchObject({ content: "Hi", error: undefined });
  });

  it.each([true, false])("by its signal cancels a fetch that has no answer yet (stream: %s)", async (streaming) => {
    const caller = new AbortController();
    const cancelled: unknown[] = [];
    const answering = Promise.withResolvers<Response>();
    const asked = readUpstreamAnswer(answering.promise, {
      stream: streaming,
      model: "m",
      signal: caller.signal,
      onCancel: (reason) => cancelled.push(reason),
    });
    caller.abort("gone");
    await expect(asked).rejects.toMatchObject({ status: 499, code: "request_cancelled" });
    expect(cancelled).toEqual(["gone"]);
    // An answer that comes all the same is let go unread.
    const late = bodyOf(["{}"], "hang");
    answering.resolve(new Response(late.body));
    await settled();
    expect(late.state.isCancelled).toBe(true);
  });

  it("by its signal cancels an answer without streaming in the middle of its body", async () => {
    const caller = new AbortController();
    const upstream = manualBody();
    const asked = readUpstreamAnswer(new Response(upstream.body), { stream: false, model: "m", signal: caller.signal });
    upstream.write('{"id":');
    await settled();
    caller.abort("gone");
    await expect(asked).rejects.toMatchObject({ code: "request_cancelled" });
    expect(upstream.state).toMatchObject({ cancelled: true, reason: "gone" });
  });

  it("by its signal ends a stream with the signal's reason; the stored reply has what came, and says so", async () => {
    const caller = new AbortController();
    const upstream = manualBody();
    const timers = createManualTimers();
    const answer = readUpstreamAnswer(new Response(upstream.body, { headers: events }), {
      stream: true,
      model: "m",
      signal: caller.signal,
      timers,
    });
    upstream.write(stream(start, say("Hel")));
    const given = await answer;
    if (given.kind !== "stream") throw new Error("expected a stream");
    const reader = given.body.getReader();
    await reader.read();
    const pending = reader.read();
    const reason = new Error("gone");
    caller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    expect(upstream.state.cancelled).toBe(true);
    expect(await given.finished).toMatchObject({
      content: "Hel",
      finishReason: null,
      error: { code: "request_cancelled" },
    });
    expect(timers.pending).toBe(0);
  });

  it("who was gone before the question is not asked for", async () => {
    const { body, state } = bodyOf([stream(start, stop, done)]);
    const answer = readUpstreamAnswer(new Response(body), {
      stream: true,
      model: "m",
      signal: AbortSignal.abort("gone"),
    });
    await expect(answer).rejects.toMatchObject({ code: "request_cancelled" });
    await settled();
    expect(state.isCancelled).toBe(true);
  });
});

describe("the stored reply", () => {
  it("is there when the stream is over", async () => {
    const { body } = bodyOf([stream(start, say("a"), stop, { choices: [], usage: { total_tokens: 3 } }, done)]);
    const answer = await readUpstreamAnswer(new Response(body, { headers: events }), { stream: true, model: "m" });
    if (answer.kind !== "stream") throw new Error("expected a stream");
    await readAll(answer.body);
    expect(await answer.finished).toMatchObject({
      content: "a",
      finishReason: "stop",
      usage: { total_tokens: 3 },
      error: undefined,
      id: "chatcmpl-1",
      model: "m",
    });
  });
});
