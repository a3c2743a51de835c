import { expect, it } from "vitest";
import { question, useFilterWorld } from "./filter-world.ts";
import { install } from "./install.ts";

/** What functions cost the database, in round trips until the model is asked. */
const here = useFilterWorld();

async function cost(more: object = {}): Promise<number> {
  here.world.roundTrips.reset();
  const asked = here.upstream.nextRequest();
  const answer = here.world.request("/api/chat/completions", {
    as: here.ada,
    json: { model: "openai", messages: question, ...more },
  });
  await asked;
  const { count } = here.world.roundTrips;
  const response = await answer;
  expect(response.status).toBe(200);
  await response.text();
  await here.world.settled();
  return count;
}

it("none where they do not apply, and none where they are warm", async () => {
  await install(here.world, { id: "elsewhere", source: "export class Filter { inlet() {} }", isGlobal: false });
  await install(here.world, { id: "pipe", source: "export class Pipe { pipe() {} }" });
  await install(here.world, { id: "action", source: "export class Action { action() {} }" });
  await cost();
  expect(await cost()).toBe(1);
  expect(await cost({ stream: true })).toBe(1);
  await install(here.world, {
    id: "here",
    source: "export class Filter { inlet() {} stream(event) { return event } outlet() {} }",
  });
  // The catalogue, and the code of the filter.
  expect(await cost()).toBe(3);
  expect(await cost()).toBe(1);
  expect(await cost({ stream: true })).toBe(1);
  const chatId = await here.newChat();
  expect(await cost({ chat_id: chatId })).toBe(2);
});

it("one for what the person has set, for all functions together", async () => {
  const source = (hooks: string) => `export class UserValves { word = "x" } export class Filter { ${hooks} }`;
  await install(here.world, { id: "a", source: source("inlet(body, __user__) {}") });
  await install(here.world, { id: "b", source: source("inlet() {} stream(event) { return event }") });
  await cost();
  expect(await cost({ stream: true })).toBe(2);
});
