import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ChannelMessage, ChannelView } from "../../src/channels/schema.ts";
import { callApi, signUpByApi } from "../browser/accounts.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../fixtures/upstreams/scripted-upstream.ts";
import { type Parley, startParley } from "./start-parley.ts";

let parley: Parley;
let upstream: ScriptedUpstream;
let token = "";
let channel: ChannelView;
const patience = { timeout: 120_000, interval: 250 };

const call = <T>(method: string, path: string, body?: object) =>
  callApi<T>(parley.url, token, method, `/api/v1/channels${path}`, body);
const read = (id: string) => call<ChannelMessage>("GET", `/${channel.id}/messages/${id}`);
const ask = (content: string) => call<ChannelMessage>("POST", `/${channel.id}/messages/post`, { content });
const answersTo = async (id: string) =>
  (await call<ChannelMessage[]>("GET", `/${channel.id}/messages/${id}/thread`)).filter((each) => each.parent_id === id);

beforeAll(async () => {
  upstream = await startScriptedUpstream({
    steady: () => ({ content: "Aye aye." }),
    talking: () => ({ content: "On and on", endless: "talking" }),
  });
  parley = await startParley({ env: { OPENAI_API_BASE_URLS: upstream.url, OPENAI_API_KEYS: "sk-upstream" } });
  const account = { name: "Ada", email: "ada@harbour.example", password: "correct horse battery" };
  ({ token } = await signUpByApi(parley.url, account));
  channel = await call<ChannelView>("POST", "/create", { name: "quay", is_private: false });
});
afterAll(async () => {
  await parley.stop();
  await upstream.close();
});

test("models that are named answer beside each other, while another one goes on for ever", async () => {
  const long = await ask("<@M:talking|talking>");
  const [endless] = await answersTo(long.id);
  await vi.waitUntil(async () => (await read(endless!.id)).content !== "", patience);
  const questions = await Promise.all([1, 2, 3].map((number) => ask(`<@M:steady|steady> ${number}`)));
  for (const { id } of questions) {
    await vi.waitUntil(async () => (await answersTo(id))[0]?.state === "done", patience);
    expect((await answersTo(id)).map(({ content }) => content)).toEqual(["Aye aye."]);
  }
  const stopped = await call<ChannelMessage>("POST", `/${channel.id}/messages/${endless!.id}/stop`);
  expect(stopped).toMatchObject({ state: "done", meta: { stopped: true } });
  expect(stopped.content).toContain("On and on");
  expect(await upstream.exchanges.find(({ request }) => request.model === "talking")!.over).toBe("left");
  expect((await read(endless!.id)).content).toBe(stopped.content);
});

test("an answer whose writer is killed in the middle is begun anew, and is there once", async () => {
  const question = await ask("<@M:talking|talking> and then?");
  const [answer] = await answersTo(question.id);
  await vi.waitUntil(async () => (await read(answer!.id)).content.length > 20, patience);
  await parley.kill9All();
  upstream.scripts["talking"] = () => ({ content: "Whole this time." });
  const before = upstream.requests.length;
  await parley.restart();
  await vi.waitUntil(async () => (await read(answer!.id)).state === "done", patience);
  expect(await answersTo(question.id)).toMatchObject([
    { id: answer!.id, content: "Whole this time.", error: null, user: { id: "talking", role: "assistant" } },
  ]);
  expect((await read(question.id)).reply_count).toBe(1);
  expect(upstream.requests.length - before).toBe(1);
});
