import { afterEach, beforeEach, expect, it } from "vitest";
import { startAnswer } from "../../../src/chat/conversations/start-answer.ts";
import type { ImportReport } from "../../../src/chat/transfer/schema.ts";
import { contextWith } from "../../../src/context.ts";
import { newId } from "../../../src/lib/id.ts";
import { resolveActorById } from "../../../src/people/auth/resolve-actor.ts";
import { serviceContext } from "../../../src/people/auth/service-context.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { dialogue } from "./dialogue.ts";

let world: World;
let ada: Person;
beforeEach(async () => {
  world = await createWorld({ environment: { MAX_CHATS: "3" } });
  ada = await world.person();
});
afterEach(() => world.close());

const base = "/api/v1/chats";
interface Answered {
  id: string;
  code: string;
  detail: string;
}
const create = (title = "Ships", as = ada) =>
  world.call<Answered>(`${base}/new`, { as, json: { chat: { ...dialogue(title), tags: ["sea"] } } });
const count = async () => Number((await world.client.execute("SELECT count(*) n FROM chats")).rows[0]!["n"]);

it("nobody has more chats than they may; a deleted one makes room", async () => {
  const first = await create();
  await create();
  const answers = await Promise.all(Array.from({ length: 4 }, () => create()));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409)!;
  expect(refused.body.code).toBe("limit_reached");
  expect(refused.body.detail).toBe(
    "You may have 3 chats, and you have as many. Delete chats that you no longer need, or ask an administrator for more",
  );
  expect((await create("Theirs", await world.person())).status).toBe(200);
  await world.call(`${base}/${first.body.id}`, { as: ada, method: "DELETE" });
  expect((await create()).status).toBe(200);
  expect((await world.call(`${base}/${first.body.id}/clone`, { as: ada, json: {} })).status).toBe(404);
});

it("an answer begins no chat more, and goes on in those there are", async () => {
  const { actor } = await resolveActorById(world.services, { userId: ada.id, kind: "session", id: ada.sessionId });
  const ctx = contextWith(await serviceContext(world.services), { actor });
  const start = (messageId = newId()) =>
    startAnswer(ctx, {
      chatId: undefined,
      messageId,
      runId: newId(),
      model: "tide",
      question: { id: newId(), content: "Ahoy" },
      parentId: undefined,
      mode: "start",
    });
  await create();
  await create();
  const messageId = newId();
  await start(messageId);
  await expect(start()).rejects.toMatchObject({ code: "limit_reached", status: 409 });
  expect(await count()).toBe(3);
});

it("an import of more than there is room for stores nothing", async () => {
  await create();
  const bring = (chats: number) =>
    world.call<Answered>(`${base}/import`, {
      as: ada,
      json: { chats: Array.from({ length: chats }, () => ({ chat: dialogue() })) },
    });
  const { status, body } = await bring(3);
  expect([status, body.code, await count()]).toEqual([409, "limit_reached", 1]);
  expect(body.detail).toContain("You may have 3 chats, and these 3 would be more. Nothing was imported");
  expect((await bring(2)).status).toBe(200);
});

it("an import of a file takes what there is room for, and says what was left out", async () => {
  await create();
  const file = Array.from({ length: 5 }, (_, at) => ({ title: `Chat ${at + 1}`, chat: dialogue(`Chat ${at + 1}`) }));
  const { status, body } = await world.call<ImportReport>(`${base}/import/file`, {
    as: ada,
    method: "POST",
    body: JSON.stringify(file),
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ imported: 2, left_out_count: 3, complete: true });
  const reason = "You may have 3 chats, and you have as many";
  expect(body.left_out).toEqual([3, 4, 5].map((position) => ({ position, title: `Chat ${position}`, reason })));
  expect(await count()).toBe(3);
});
