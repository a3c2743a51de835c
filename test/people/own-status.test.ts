import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MemberPage } from "../../src/channels/members/schema.ts";
import type { ChannelView } from "../../src/channels/schema.ts";
import { settings } from "../../src/db/tables.ts";
import type { OwnSession } from "../../src/people/auth/sign-in/schema.ts";
import type { OwnStatus, UserInfo } from "../../src/people/users/schema.ts";
import { createWorld, type Person, type World } from "../world.ts";

let world: World;
let ada: Person;
let grace: Person;

beforeEach(async () => {
  world = await createWorld();
  ada = await world.person();
  grace = await world.person();
});
afterEach(() => world.close());

const path = "/api/v1/users/user/status";
const none = { status_emoji: null, status_message: null, status_expires_at: null };
const change = (json: Record<string, unknown>, as = ada) => world.call<OwnStatus>(`${path}/update`, { as, json });
const own = async () => (await world.call<OwnStatus>(path, { as: ada })).body;
const seen = async () => (await world.call<UserInfo>(`/api/v1/users/${ada.id}/info`, { as: grace })).body;

describe("one's status", () => {
  test("is seen by colleagues and by oneself, until its end", async () => {
    expect(await own()).toEqual({ id: ada.id, name: expect.any(String), ...none });
    const end = world.services.now() + 60;
    const status = { status_emoji: "🗓️", status_message: "In a meeting", status_expires_at: end };
    expect(await change(status)).toMatchObject({ status: 200, body: { id: ada.id, ...status } });
    expect(await own()).toMatchObject(status);
    expect(await seen()).toMatchObject(status);
    expect((await world.call<OwnSession>("/api/v1/auths/", { as: ada })).body).toMatchObject(status);
    world.advance(60);
    expect(await own()).toMatchObject(none);
    expect(await seen()).toMatchObject(none);
  });

  test("keeps the fields that are not sent, and goes with an empty emoji and text", async () => {
    await change({ status_emoji: "🏡", status_message: " At home ", status_expires_at: null });
    expect((await change({ status_message: "Away" })).body).toMatchObject({
      status_emoji: "🏡",
      status_message: "Away",
      status_expires_at: null,
    });
    const end = world.services.now() + 60;
    await change({ status_expires_at: end });
    expect((await change({ status_emoji: "", status_message: "" })).body).toMatchObject(none);
    expect((await change({ status_message: "Back" })).body).toMatchObject({ ...none, status_message: "Back" });
  });

  test.each([
    { status_message: "x".repeat(141) },
    { status_message: 7 },
    { status_emoji: "x".repeat(65) },
    { status_expires_at: "tomorrow" },
    { status_expires_at: -1 },
  ])("is not changed by %j", async (json) => {
    await change({ status_message: "Here" });
    expect((await change(json)).status).toBe(422);
    expect(await own()).toMatchObject({ status_message: "Here" });
  });

  test("is shown in channels: with members, and with the other person of a conversation", async () => {
    await change({ status_emoji: "🌴", status_message: "On holiday" });
    const { body: direct } = await world.call<ChannelView>(`/api/v1/channels/users/${ada.id}`, { as: grace });
    expect(direct.users).toMatchObject([{ id: ada.id, status_emoji: "🌴", status_message: "On holiday" }]);
    const members = await world.call<MemberPage>(`/api/v1/channels/${direct.id}/members`, { as: grace });
    expect(members.body.users.find(({ id }) => id === ada.id)).toMatchObject({
      status_emoji: "🌴",
      status_message: "On holiday",
    });
    // The database's own clock says what is over in lists of channels.
    await change({ status_expires_at: 1 });
    const after = await world.call<ChannelView[]>("/api/v1/channels/", { as: grace });
    expect(after.body.find(({ id }) => id === direct.id)?.users).toMatchObject([
      { id: ada.id, status_emoji: null, status_message: null },
    ]);
  });

  test("cannot be had where it is switched off", async () => {
    const off = { name: "ENABLE_USER_STATUS", value: false, updatedAt: world.services.now() };
    await world.db.insert(settings).values(off);
    expect((await world.request(path, { as: ada })).status).toBe(403);
    expect((await change({ status_message: "x" })).status).toBe(403);
  });

  test("takes two round trips: who asks, and the change", async () => {
    await change({ status_message: "Here" });
    world.roundTrips.reset();
    await change({ status_message: "Away" });
    expect(world.roundTrips.count).toBe(2);
  });
});
