import { execFile } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HistoryPage } from "../../src/channels/messages/schema.ts";
import type { ChannelMessage } from "../../src/channels/schema.ts";
import type { WebhookView } from "../../src/channels/webhooks/schema.ts";
import { ada, callApi, signUpByApi } from "../browser/accounts.ts";
import { ChannelTab } from "./channel-tab.ts";
import { eventually, signIn } from "./socket-crowd.ts";
import { type Parley, startParley } from "./start-parley.ts";

/** `PARLEY_CHANNEL_POSTS=10000` is the long form. */
const posts = Number(process.env["PARLEY_CHANNEL_POSTS"] ?? 600);
const bots = 20;
const limit = 120_000 + posts * 100;

let parley: Parley;
let token: string;

beforeAll(async () => {
  parley = await startParley({ env: { CHANNEL_WEBHOOK_RATE: "100000", CHANNEL_WEBHOOK_BURST: "10000" } });
  ({ token } = await signUpByApi(parley.url, ada));
});
afterAll(() => parley.stop());

const api = <T>(method: string, address: string, body?: object): Promise<T> =>
  callApi<T>(parley.url, token, method, `/api/v1/channels${address}`, body);

async function history(channelId: string): Promise<ChannelMessage[]> {
  const all: ChannelMessage[] = [];
  for (let after = 0; ;) {
    const page = await api<HistoryPage>("GET", `/${channelId}/history?after=${after}&limit=100`);
    all.push(...page.messages);
    if (page.to >= page.head) return all;
    after = page.to;
  }
}

/** One part of the started service, by chance: the runtime or the database. */
function aPart(): number | undefined {
  const parts = parley.processes().filter(({ command }) => /sqld|socket-addr=entry=/.test(command));
  return parts[Math.floor(Math.random() * parts.length)]?.pid;
}

test(
  `${posts} posts of ${bots} bots, while parts of the service are killed: each acknowledged one is there once, in one order in every tab`,
  async () => {
    const people = await signIn(parley, 5);
    const { id } = await api<{ id: string }>("POST", "/create", {
      name: "deploys",
      type: "group",
      user_ids: people.map((person) => person.id),
    });
    const tabs = people.flatMap((person) => [0, 1].map(() => new ChannelTab(parley.url, id, person)));
    await Promise.all(tabs.map((tab) => tab.connect()));

    const program = path.join(import.meta.dirname, "channel-bot.ts");
    const running = Array.from({ length: bots }, async (_, number) => {
      const name = `bot ${number + 1}`;
      const { url } = await api<WebhookView>("POST", `/${id}/webhooks/create`, { name });
      const args = [program, url!, name, String(posts / bots)];
      const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16 * 1024 * 1024 });
      return JSON.parse(stdout) as string[];
    });
    const over = new AbortController();
    const acknowledged = Promise.all(running).finally(() => over.abort());

    // Each time when the channel has grown by so much: whatever the speed, there is something to lose.
    const grown = (by: number) => {
      const from = tabs[0]!.seen;
      return eventually(
        () => (over.signal.aborted || tabs[0]!.seen >= from + by ? undefined : "the channel does not grow"),
        limit,
      );
    };
    for (let time = 0; time < 4 && !over.signal.aborted; time++) {
      await grown(posts / 10);
      const pid = aPart();
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    }
    await grown(posts / 10);
    await parley.kill9All();
    await parley.restart();

    const ids = (await acknowledged).flat();
    expect(new Set(ids).size).toBe(posts);
    const said = await history(id);
    expect(said.map((message) => message.id).toSorted()).toEqual(ids.toSorted());
    expect(new Set(said.map(({ content }) => content)).size).toBe(posts);
    const order = said.map(({ seq, id: messageId }) => [seq, messageId]);
    for (const tab of tabs) {
      await eventually(
        () => (tab.messages?.length === posts ? undefined : `a tab has ${tab.messages?.length}`),
        60_000,
      );
      expect(tab.messages!.map(({ seq, id: messageId }) => [seq, messageId])).toEqual(order);
    }
    for (const tab of tabs) tab.close();
  },
  limit,
);
