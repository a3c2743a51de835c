import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askWithTools } from "../../../src/chat/tools/ask-with-tools.ts";
import type { Context } from "../../../src/context.ts";
import { UpstreamError } from "../../../src/upstream/errors/upstream-error.ts";
import { readAll } from "../../upstream/streams.ts";
import { createWorld, type World } from "../../world.ts";
import { contextFor } from "../conversations/context-for.ts";
import { ask, hello } from "./ask.ts";
import { scriptedModel, type ScriptedRound } from "./scripted-model.ts";
import { attach, recordedTurn, say, tool } from "./tool-turn.ts";

let world: World;
let ctx: Context;
beforeAll(async () => {
  world = await createWorld();
  ctx = contextFor(world, await world.person());
});
afterAll(() => world.close());

const weather = tool("weather", ({ city }) => say(`sunny in ${String(city)}`));

describe("stopping", () => {
  it.each([true, false])("ends the tools that run and asks no more (stream: %s)", async (stream) => {
    const abort = new AbortController();
    const begun = Promise.withResolvers<{ signal: AbortSignal }>();
    const endless = tool("endless", (_args, { signal }) => {
      begun.resolve({ signal });
      return new Promise(() => undefined);
    });
    const attachment = attach(endless);
    const turn = recordedTurn();
    const running = ask(ctx, [{ content: "Wait", calls: [{ name: "endless" }] }], attachment, {
      stream,
      turn,
      signal: abort.signal,
    });
    const failed = running.catch((error: unknown) => error);
    const { signal } = await begun.promise;
    abort.abort(new Error("left"));
    expect(signal.aborted).toBe(true);
    await failed;
    await world.settled();
    expect(turn.items.at(-1)).toMatchObject({ state: "error", error: "The call was canceled" });
    expect(attachment.closed).toBe(1);
  });

  it("lets the model go in every round", async () => {
    const abort = new AbortController();
    const reached = Promise.withResolvers<void>();
    const hang: ScriptedRound = {
      response: ({ signal }) => {
        reached.resolve();
        return new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error)),
        );
      },
    };
    const scripted = scriptedModel([{ calls: [{ name: "weather", args: { city: "x" } }] }, hang]);
    const attachment = attach(weather);
    const answer = await askWithTools(
      ctx,
      scripted.model,
      { body: { messages: hello }, stream: true, signal: abort.signal },
      attachment,
      recordedTurn(),
    );
    if (answer.kind !== "stream") throw new Error("expected a stream");
    const read = readAll(answer.body).catch((error: unknown) => error);
    await reached.promise;
    abort.abort(new Error("left"));
    expect(await read).toMatchObject({ message: "left" });
    expect(scripted.signals[1]!.aborted).toBe(true);
    expect(await answer.finished).toMatchObject({ error: { code: "request_cancelled" } });
    expect(attachment.closed).toBe(1);
  });

  it("ends with its reason when the caller may not go on", async () => {
    const refusal = new AbortController();
    const endless = tool("endless", () => {
      refusal.abort(new UpstreamError(403, "No more", { code: "forbidden" }));
      return new Promise(() => undefined);
    });
    const { checked } = await ask(ctx, [{ content: "Wait", calls: [{ name: "endless" }] }], attach(endless), {
      refusal: refusal.signal,
    });
    expect(checked!.error).toMatchObject({ code: "forbidden", status: 403 });
  });

  it("lets go of everything when the body is cancelled", async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const endless = tool("endless", (_args, { signal }) => {
      begun.resolve(signal);
      return new Promise(() => undefined);
    });
    const { model } = scriptedModel([{ content: "Wait", calls: [{ name: "endless" }] }]);
    const answer = await askWithTools(
      ctx,
      model,
      { body: { messages: hello }, stream: true, signal: new AbortController().signal },
      attach(endless),
      recordedTurn(),
    );
    if (answer.kind !== "stream") throw new Error("expected a stream");
    const reader = answer.body.getReader();
    void (async () => {
      while (!(await reader.read()).done);
    })();
    const signal = await begun.promise;
    await reader.cancel("gone");
    expect(signal.aborted).toBe(true);
  });
});
