import { abortAllDurableObjects, evictDurableObject, listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { settings } from "../../src/db/tables.ts";
import type { AppError } from "../../src/errors.ts";
import { newId } from "../../src/lib/id.ts";
import { hashApiKey } from "../../src/people/auth/api-keys/hash-api-key.ts";
import { apiKeys } from "../../src/people/auth/api-keys/tables.ts";
import { sessions } from "../../src/people/auth/sessions/tables.ts";
import { organizations } from "../../src/people/organizations/tables.ts";
import { users } from "../../src/people/users/tables.ts";
import type { Env } from "../../workers/env.ts";
import { createPerson, services, type LivePerson } from "./live-world.ts";
import { scriptedAnswer } from "./scripted-answer.ts";

const directory = (env as unknown as Env).OPEN_DIRECTORY.getByName("directory");

/** A stream under way, its first word delivered. */
async function stream(person: LivePerson, token?: string) {
  const name = `q-${newId()}`;
  const answer = scriptedAnswer(name);
  const asked = person.stream(name, token);
  await answer.called();
  await answer.write({ send: "first " });
  const body = await asked;
  await body.until("first");
  return { ...body, answer };
}

async function change(person: LivePerson, values: Partial<typeof users.$inferInsert>) {
  await services.db.update(users).set(values).where(eq(users.id, person.id));
}

async function addOrganization(modelIds: string[] | null) {
  const [id, now] = [newId(), services.now()];
  await services.db
    .insert(organizations)
    .values({ id, name: id, modelIds, features: {}, createdAt: now, updatedAt: now });
  return id;
}

async function addKey(person: LivePerson) {
  const [id, key] = [newId(), `sk-${newId()}`];
  const updatedAt = services.now();
  await services.db.insert(settings).values({ name: "ENABLE_API_KEYS", value: true, updatedAt }).onConflictDoNothing();
  await services.db.update(users).set({ role: "admin" }).where(eq(users.id, person.id));
  await services.db
    .insert(apiKeys)
    .values({ id, userId: person.id, name: "script", hash: await hashApiKey(key), createdAt: services.now() });
  return { id, key };
}

const followers = (person: LivePerson) =>
  runInDurableObject(person.coordinator, (_, state) => state.getWebSockets("follower").length);

/** Resolves when so many completions are followed. */
const untilFollowed = (person: LivePerson, count: number) =>
  vi.waitUntil(async () => (await followers(person)) === count, { timeout: 30_000 });

describe("a socket", () => {
  it("closes when its person is switched off, and stays, told, when something else has changed", async () => {
    const person = await createPerson();
    const tab = await person.open();
    await tab.hello();
    await change(person, { organizationRole: "admin" });
    await services.live.recheck([person.id]);
    await tab.event("session:changed");
    await change(person, { active: false });
    await services.live.recheck([person.id]);
    expect(await tab.next((frame) => frame.kind === "signed-out")).toMatchObject({ reason: "account_inactive" });
    expect(await tab.untilClosed()).toMatchObject({ code: 4401 });
  });

  it("obeys the rules for keys where a key opened it, and leaves those of sessions alone", async () => {
    const person = await createPerson();
    const { id, key } = await addKey(person);
    const [own, script] = [await person.open(), await person.open(key)];
    await Promise.all([own.hello(), script.hello()]);
    await services.db.delete(apiKeys).where(eq(apiKeys.id, id));
    await services.live.recheck([person.id]);
    expect(await script.untilClosed()).toMatchObject({ code: 4401 });
    await own.event("session:changed");
    expect(own.closed).toBeUndefined();
  });

  it("is looked at again while somebody looks at it, in case that nobody was told", async () => {
    const person = await createPerson();
    const tab = await person.open();
    await tab.hello();
    // Its first frame had it looked at too; that is over then.
    await services.live.recheck([person.id]);
    await tab.event("session:changed");
    await change(person, { active: false });
    await evictDurableObject(person.coordinator);
    tab.send({ kind: "visible", visible: true });
    expect(await tab.untilClosed()).toMatchObject({ code: 4401 });
  });

  it("that nobody looks at is told nothing more when its person may not be told", async () => {
    const person = await createPerson();
    const tab = await person.open();
    await tab.hello();
    await services.live.recheck([person.id]);
    await tab.event("session:changed");
    await change(person, { active: false });
    await evictDurableObject(person.coordinator);
    await services.live.publish(person.id, { data: { type: "secret", data: {} } });
    expect(await tab.untilClosed()).toMatchObject({ code: 4401 });
    expect(JSON.stringify(tab.frames)).not.toContain("secret");
  });

  it("that is looked at is a sign of life", async () => {
    const person = await createPerson();
    const tab = await person.open();
    await tab.hello();
    await services.live.recheck([person.id]);
    await services.db.update(users).set({ lastActiveAt: 1 }).where(eq(users.id, person.id));
    await services.db.update(sessions).set({ lastUsedAt: 1 }).where(eq(sessions.id, person.sessionId));
    await evictDurableObject(person.coordinator);
    tab.send({ kind: "visible", visible: true });
    const lastActive = async () => {
      const [row] = await services.db.select({ at: users.lastActiveAt }).from(users).where(eq(users.id, person.id));
      return row!.at;
    };
    await vi.waitUntil(async () => (await lastActive()) > 1, { timeout: 30_000 });
    expect(await lastActive()).toBeGreaterThan(services.now() - 60);
  });

  it("that opens while rights change is looked at once more", async () => {
    const person = await createPerson();
    await change(person, { active: false });
    await services.live.recheck([person.id]);
    // Let in a moment before the change, as far as the Worker knew.
    const credential = { userId: person.id, kind: "session", id: person.sessionId } as const;
    const request = new Request("http://parley.test/api/v1/events", { headers: { upgrade: "websocket" } });
    const { webSocket } = await services.live.connect(credential, request, { hears: null, isPending: false });
    const closed = new Promise<number>((resolve) => webSocket!.addEventListener("close", ({ code }) => resolve(code)));
    webSocket!.accept();
    expect(await closed).toBe(4401);
  });
});

describe("a run", () => {
  it("stops when its person moves to where the model is not, and what had arrived is kept", async () => {
    const person = await createPerson();
    const name = `q-${newId()}`;
    const id = newId();
    const { body } = await person.call<{ chat_id: string }>("/api/chat/completions", {
      model: "scripted",
      session_id: "s",
      id,
      parent_id: null,
      user_message: { id: newId(), content: name },
    });
    const answer = scriptedAnswer(name);
    await answer.called();
    await answer.write({ send: "Half" });
    await person.message(body.chat_id, id, (message) => message.content === "Half");
    await change(person, { organizationId: await addOrganization(["another"]) });
    await services.live.recheck([person.id]);
    await answer.over();
    const stopped = await person.message(body.chat_id, id, (message) => message.state === "stopped");
    expect(stopped.content).toBe("Half");
  });
});

describe("a stream over HTTP", () => {
  it("ends with an error when its person is switched off, and delivers nothing more", async () => {
    const person = await createPerson();
    const { answer, rest } = await stream(person);
    await untilFollowed(person, 1);
    await change(person, { active: false });
    await services.live.recheck([person.id]);
    await answer.write({ send: "secret" });
    const body = await rest();
    expect(body).not.toContain("secret");
    expect(body).not.toContain("[DONE]");
    const last = body.trim().split("\n\n").at(-1)!;
    expect(JSON.parse(last.slice("data: ".length))).toMatchObject({
      error: { code: "account_inactive", type: "authentication_error", status: 401 },
    });
    await answer.over();
    await untilFollowed(person, 0);
  });

  it("ends at its next event also when it has only just begun", async () => {
    const person = await createPerson();
    const { answer, rest } = await stream(person);
    await change(person, { active: false });
    await services.live.recheck([person.id]);
    await answer.write({ send: "secret" });
    const body = await rest();
    expect(body).not.toContain("secret");
    expect(body).toContain('"account_inactive"');
  });

  it("goes on where its person may still have it", async () => {
    const person = await createPerson();
    const { answer, rest } = await stream(person);
    await untilFollowed(person, 1);
    await change(person, { organizationId: await addOrganization(null) });
    await services.live.recheck([person.id]);
    await answer.write({ send: "second", finish: true });
    expect(await rest()).toMatch(/second[^]*\[DONE\]/);
  });

  it("ends when its organization is switched off, when its model is taken away, when its key is deleted", async () => {
    const [off, moved, keyed] = [await createPerson(), await createPerson(), await createPerson()];
    const { id, key } = await addKey(keyed);
    const organizationId = await addOrganization(null);
    await change(off, { organizationId });
    const [one, two, three] = [await stream(off), await stream(moved), await stream(keyed, key)];
    await Promise.all([off, moved, keyed].map((person) => untilFollowed(person, 1)));
    await services.db.update(organizations).set({ active: false }).where(eq(organizations.id, organizationId));
    await change(moved, { organizationId: await addOrganization([]) });
    await services.db.delete(apiKeys).where(eq(apiKeys.id, id));
    await services.live.recheck([off.id, moved.id, keyed.id]);
    expect(await one.rest()).toContain('"organization_inactive"');
    expect(await two.rest()).toContain('"model_not_found"');
    expect(await three.rest()).toContain('"session_ended"');
  });

  it("ends with the session that is revoked, and no other", async () => {
    const [person, other] = [await createPerson(), newId()];
    const { answer, rest } = await stream(person);
    await untilFollowed(person, 1);
    await services.live.revoke(person.id, "signed_out", other);
    await answer.write({ send: "second" });
    await services.live.revoke(person.id, "signed_out", person.sessionId);
    await answer.write({ send: "third" });
    const body = await rest();
    expect(body).toContain('"session_ended"');
    expect(body).not.toContain("third");
  });

  it("leaves nothing behind at its end, nor when its caller goes away", async () => {
    const person = await createPerson();
    const [whole, left] = [await stream(person), await stream(person)];
    await untilFollowed(person, 2);
    await whole.answer.write({ send: "last", finish: true });
    await whole.rest();
    await untilFollowed(person, 1);
    await left.leave();
    await left.answer.over();
    await untilFollowed(person, 0);
    expect(await followers(person)).toBe(0);
  });

  it("is one of twenty, and all of them end", async () => {
    const person = await createPerson();
    const streams = await Promise.all(Array.from({ length: 20 }, () => stream(person)));
    await untilFollowed(person, 20);
    await change(person, { role: "pending" });
    await services.live.recheck([person.id]);
    await Promise.all(streams.map(({ answer }) => answer.write({ send: "secret" })));
    for (const { rest } of streams) {
      const body = await rest();
      expect(body).toContain('"account_pending"');
      expect(body).not.toContain("secret");
    }
    await untilFollowed(person, 0);
  });

  it("is still followed after the object was put away", async () => {
    const person = await createPerson();
    const { answer, rest } = await stream(person);
    await untilFollowed(person, 1);
    await evictDurableObject(person.coordinator);
    await change(person, { active: false });
    await services.live.recheck([person.id]);
    await answer.write({ send: "secret" });
    expect(await rest()).not.toContain("secret");
  });

  it("goes on when the object dies, and is followed again, with a look at what was missed meanwhile", async () => {
    const person = await createPerson();
    const { answer, until, rest } = await stream(person);
    await untilFollowed(person, 1);
    await change(person, { active: false });
    await abortAllDurableObjects();
    await answer.write({ send: "second" });
    expect(await until("second")).not.toContain("error");
    expect(await rest()).toContain('"account_inactive"');
  });

  it("that begins while rights change is looked at once more, and one that was let in long ago too", async () => {
    const [late, slow] = [await createPerson(), await createPerson()];
    await services.live.recheck([late.id]);
    for (const [person, since] of [
      [late, Date.now()],
      [slow, Date.now() - 60_000],
    ] as const) {
      await change(person, { active: false });
      const credential = { userId: person.id, kind: "session", id: person.sessionId } as const;
      const refused = await new Promise<AppError>((resolve) => {
        services.live.followRights({ credential, model: "scripted", since }, resolve);
      });
      expect(refused.code).toBe("account_inactive");
      await untilFollowed(person, 0);
    }
  });
});

describe("a change for many", () => {
  const among = (people: LivePerson[]) => {
    const strangers = Array.from({ length: 30 }, () => newId());
    return directory.among([...strangers, ...people.map((person) => person.id)]);
  };

  it("reaches those who have something open, and wakes nobody else", async () => {
    const [tabbed, streaming, running, idle] = [
      await createPerson(),
      await createPerson(),
      await createPerson(),
      await createPerson(),
    ];
    const tab = await tabbed.open();
    await tab.hello();
    const { rest } = await stream(streaming);
    const { body } = await running.call<{ chat_id: string }>("/api/chat/completions", {
      model: "scripted",
      session_id: "s",
      id: newId(),
      parent_id: null,
      user_message: { id: newId(), content: `q-${newId()}` },
    });
    const people = [tabbed, streaming, running, idle];
    await vi.waitUntil(async () => (await among(people)).length === 3, { timeout: 30_000 });
    for (const person of people) await change(person, { active: false });
    await services.live.recheck([...Array.from({ length: 300 }, () => newId()), ...people.map((person) => person.id)]);
    expect(await tab.untilClosed()).toMatchObject({ code: 4401 });
    expect(await rest()).toContain('"account_inactive"');
    await vi.waitUntil(async () => (await running.coordinator.listRuns()).length === 0, { timeout: 30_000 });
    expect(body.chat_id).toBeDefined();
    const ids = await listDurableObjectIds((env as unknown as Env).SESSION_COORDINATOR);
    expect(ids.map(String)).not.toContain(String((env as unknown as Env).SESSION_COORDINATOR.idFromName(idle.id)));
  });

  it("is not missed by what opens in the same moment", async () => {
    const person = await createPerson();
    await among([person]);
    await change(person, { active: false });
    // Let in before the change; listed after the directory was asked.
    const credential = { userId: person.id, kind: "session", id: person.sessionId } as const;
    const refused = await new Promise<AppError>((resolve) => {
      services.live.followRights({ credential, model: "scripted", since: Date.now() }, resolve);
    });
    expect(refused.code).toBe("account_inactive");
  });

  it("finds nobody any more whose last tab has closed", async () => {
    const person = await createPerson();
    const tab = await person.open();
    await vi.waitUntil(async () => (await among([person])).length === 1, { timeout: 30_000 });
    tab.close();
    await tab.untilClosed();
    const isGone = async () => (await among([person])).length === 0;
    expect(await vi.waitUntil(isGone, { timeout: 14_000, interval: 200 })).toBe(true);
  });
});
