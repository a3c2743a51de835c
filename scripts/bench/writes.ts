import { ada, callApi, signUpByApi } from "../../test/browser/accounts.ts";
import { startParley } from "../../test/stack/start-parley.ts";
import { quantile } from "./measure.ts";

/**
 * `npm run bench -- --writes [--quick]`: what five people wait for a new chat, alone, and while another person saves a chat of
 * 20,000 messages again and again and deletes its first one.
 */
export async function benchWrites(quick: boolean): Promise<void> {
  const count = quick ? 5000 : 20_000;
  const parley = await startParley({ env: { DEFAULT_USER_ROLE: "user" } });
  try {
    const tokens: string[] = [];
    for (let at = 0; at < 6; at++) {
      const { token } = await signUpByApi(parley.url, { ...ada, email: `person${at}@harbour.example` });
      tokens.push(token);
    }
    const [large, ...others] = tokens as [string, ...string[]];
    const begun = performance.now();
    let id: string | undefined;
    const work = async () => {
      ({ id } = await callApi<{ id: string }>(parley.url, large, "POST", "/api/v1/chats/new", { chat: chain(1) }));
      for (let turn = 0; turn < 3; turn++) {
        const start = performance.now();
        await callApi(parley.url, large, "POST", `/api/v1/chats/${id}`, { chat: chain(count) });
        console.log(`${count} messages saved in ${Math.round(performance.now() - start)} ms`);
      }
      const start = performance.now();
      await callApi(parley.url, large, "DELETE", `/api/v1/chats/${id}/messages/m0`);
      console.log(`the first one deleted, with all below it, in ${Math.round(performance.now() - start)} ms`);
    };
    await waits("alone", others, parley.url, new Promise((resolve) => setTimeout(resolve, quick ? 2000 : 5000)));
    await waits("beside a large chat", others, parley.url, work());
    console.log(`${Math.round((performance.now() - begun) / 1000)} s in all`);
  } finally {
    await parley.stop();
  }
}

/** Prints how long each of the people waits for a new chat, ten in a second, until the work is done. */
async function waits(name: string, tokens: readonly string[], url: string, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const ended = work.finally(() => done.abort());
  const times: number[] = [];
  const create = async (token: string) => {
    while (!done.signal.aborted) {
      const start = performance.now();
      await callApi(url, token, "POST", "/api/v1/chats/new", { chat: chain(2) });
      times.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await Promise.all([ended, ...tokens.map(create)]);
  times.sort((a, b) => a - b);
  const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)].map(Math.round);
  console.log(`${name}: ${times.length} chats, p50 ${half} ms, p99 ${most} ms, max ${Math.round(times.at(-1)!)} ms`);
}

/** A chat of so many messages, each below the one before. */
export function chain(length: number) {
  const messages = Array.from({ length }, (_, at) => {
    const parentId = at === 0 ? null : `m${at - 1}`;
    return [`m${at}`, { parentId, role: at % 2 === 0 ? "user" : "assistant", content: `What is said ${at}` }] as const;
  });
  return { title: "Measured", history: { currentId: `m${length - 1}`, messages: Object.fromEntries(messages) } };
}
