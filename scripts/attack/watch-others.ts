import { setTimeout as wait } from "node:timers/promises";
import { quantile } from "../bench/measure.ts";
import { send, signIn, type Somebody, type Target } from "./service.ts";

/** What others noticed meanwhile. Times in milliseconds, memory in bytes. */
export interface Noticed {
  requests: number;
  /** Failed connections and answers other than 200. */
  lost: string[];
  p50: number;
  p99: number;
  /** The most that all processes of the service took together. */
  memory: number;
}

const pauseMs = 250;

/** Others list their chats, start one, ask, post, ask for the health and sign in, until the signal; then until their last answer. */
export async function watchOthers(target: Target, signal: AbortSignal): Promise<Noticed> {
  const { url } = target.parley;
  const post = `/api/v1/channels/${target.channelId}/messages/post`;
  const question = { model: "parley-guide", messages: [{ role: "user", content: "How do I share a chat?" }] };
  const times: number[] = [];
  const lost: string[] = [];
  let memory = 0;
  const acts: Record<string, (somebody: Somebody) => Promise<{ status: number; text: string }>> = {
    "list of chats": ({ token }) => send(url, "GET", "/api/v1/chats/?page=1", { token }),
    "new chat": ({ token }) => send(url, "POST", "/api/v1/chats/new", { token, json: { chat: { title: "Short" } } }),
    answer: ({ token }) => send(url, "POST", "/api/chat/completions", { token, json: question }),
    post: ({ token }) => send(url, "POST", post, { token, json: { content: "Low water at nine" } }),
    health: () => send(url, "GET", "/health"),
    "sign-in": (somebody) => signIn(url, somebody),
  };
  const names = Object.keys(acts);
  const live = async (somebody: Somebody, index: number) => {
    for (let turn = index; !signal.aborted; turn++) {
      // A sign-in costs a tenth of a second of a processor: people do it once a day, not every second.
      const name = turn % 40 === 39 ? "sign-in" : names[turn % 5]!;
      const begun = performance.now();
      const answer = await acts[name]!(somebody).catch((error: unknown) => ({ status: 0, text: String(error) }));
      times.push(performance.now() - begun);
      if (answer.status !== 200) lost.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`);
      await wait(pauseMs);
    }
  };
  const weigh = async () => {
    while (!signal.aborted) {
      memory = Math.max(memory, weightOf(target));
      await wait(500);
    }
  };
  await Promise.all([...target.people.map(live), weigh()]);
  const sorted = times.toSorted((a, b) => a - b);
  return { requests: times.length, lost, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), memory };
}

function weightOf({ parley }: Target): number {
  return parley.processes().reduce((sum, { rss }) => sum + rss, 0);
}
