import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askQuestion } from "../../../src/chat/events/ask-question.ts";
import { emitEvent } from "../../../src/chat/events/emit-event.ts";
import { contextWith } from "../../../src/context.ts";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import { allPermissions } from "../../../src/people/permissions.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../conversations/context-for.ts";

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  world.live.asked.length = 0;
  world.live.answerWith = true;
});

const place = { chatId: "c", messageId: "m", runId: "r" };
const { signal } = new AbortController();

/** As somebody in whose organization plugins run no code in browsers. */
function without() {
  const ctx = contextFor(world, ada);
  const permissions = { ...allPermissions, features: { ...allPermissions.features, execute_events: false } };
  return contextWith(ctx, { actor: { ...ctx.actor, permissions } as typeof ctx.actor });
}

describe("asking the person", () => {
  it("says what it belongs to, and waits as long as the settings say", async () => {
    const event = { type: "confirmation", data: { title: "Sail?", message: null } };
    const ctx = contextFor(world, ada, { WEBSOCKET_EVENT_CALLER_TIMEOUT: 7 });
    expect(await askQuestion(ctx, place, event, signal)).toBe(true);
    expect(world.live.asked).toEqual([
      { userId: ada.id, event: { chat_id: "c", message_id: "m", run_id: "r", data: event }, timeoutMs: 7000 },
    ]);
  });

  it("waits 300 seconds unless the settings say otherwise", async () => {
    await askQuestion(contextFor(world, ada), place, { type: "confirmation", data: {} }, signal);
    expect(world.live.asked).toMatchObject([{ timeoutMs: 300_000 }]);
  });

  it.each([
    [{ type: "status", data: { description: "a" } }, /^type: /],
    [{ type: "toString", data: {} }, /^type: /],
    [{ type: "confirmation" }, /^data: /],
    [{ type: "confirmation", data: { title: 3 } }, /^data\.title: /],
    [{ type: "input", data: [] }, /^data: /],
    [{ type: "execute", data: {} }, /^data\.code: /],
    [{ type: "execute", data: { code: "" } }, /^data\.code: /],
    [{ type: "execute", data: { code: "x".repeat(200_001) } }, /^data\.code: /],
    [null, /./],
  ])("refuses %j", async (event, message) => {
    await expect(askQuestion(contextFor(world, ada), place, event, signal)).rejects.toMatchObject({
      code: "invalid_event",
      message: expect.stringMatching(message),
    });
    expect(world.live.asked).toEqual([]);
  });

  it("has code run only where the organization has it, and keeps who, where, and the beginning of the code", async () => {
    const code = `return "${"x".repeat(1000)}"`;
    const event = { type: "execute", data: { code } };
    await expect(askQuestion(without(), place, event, signal)).rejects.toMatchObject({ code: "execute_not_allowed" });
    await expect(emitEvent(without(), place, event)).rejects.toMatchObject({ code: "execute_not_allowed" });
    const recorded = async () =>
      (await world.db.select().from(auditEvents)).filter(({ actorId }) => actorId === ada.id);
    expect(await recorded()).toEqual([]);
    expect(world.live.asked).toEqual([]);
    // Whoever may not have code run may still be asked.
    await askQuestion(without(), place, { type: "input", data: {} }, signal);
    await askQuestion(contextFor(world, ada), place, event, signal);
    expect(await recorded()).toMatchObject([
      {
        action: "code.sent_to_browser",
        targetType: "chat",
        targetId: "c",
        detail: { message_id: "m", sha256: expect.stringMatching(/^[0-9a-f]{64}$/), length: code.length },
      },
    ]);
    expect((await recorded())[0]!.detail["code"]).toBe(code.slice(0, 500));
  });

  it("does not wait for code that nobody wants to hear of", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.live.answerWith = promise;
    await emitEvent(contextFor(world, ada), place, { type: "execute", data: { code: "1" } });
    expect(world.live.asked).toMatchObject([{ event: { data: { type: "execute" } } }]);
    resolve();
  });
});
