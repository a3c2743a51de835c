import { setTimeout as wait } from "node:timers/promises";
import { channelMembers } from "../../src/channels/tables.ts";
import { ada, callApi, signUpByApi } from "../../test/browser/accounts.ts";
import { forEach, openDatabase, signIn, type SignedIn } from "../../test/stack/socket-crowd.ts";
import { type Parley, startParley } from "../../test/stack/start-parley.ts";
import { quantile } from "./measure.ts";

const [members, connected] = [5000, 500];
/** A post that is not everywhere after so long counts as lost; milliseconds. */
const timeoutMs = 20_000;

/**
 * `npm run bench -- --channels [--quick]`: a channel of 5,000 members at the started service, 500 of them with an open tab. Messages
 * are posted at a steady pace; measured is the time from sending one to its arrival at the last tab, in one process that holds all
 * the sockets, on loopback. The aim: p99 under 250 ms with 20 posts a second.
 */
export async function benchChannels(quick: boolean): Promise<void> {
  const parley = await startParley();
  try {
    const { token } = await signUpByApi(parley.url, ada);
    const { id } = await callApi<{ id: string }>(parley.url, token, "POST", "/api/v1/channels/create", {
      name: "all-hands",
      type: "group",
    });
    const people = await signIn(parley, members - 1);
    await join(parley, id, people);
    const audience = new Audience(parley.url);
    await forEach(people.slice(0, connected), (person) => audience.open(person));
    console.log(`${members} members, ${connected} of them with an open tab`);
    const post = (content: string) =>
      callApi(parley.url, token, "POST", `/api/v1/channels/${id}/messages/post`, { content });
    for (const perSecond of [1, 5, 20]) {
      // The first seconds warm up what is measured then.
      await measure(audience, post, { perSecond, seconds: 3 });
      const { times, lost } = await measure(audience, post, { perSecond, seconds: quick ? 10 : 60 });
      const sorted = times.toSorted((a, b) => a - b);
      const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => quantile(sorted, part).toFixed(1));
      console.log(
        `${String(perSecond).padStart(3)} posts/s   to the last tab: p50 ${p50} ms   p99 ${p99} ms   max ${worst} ms   ${times.length} posts   ${lost} not everywhere`,
      );
    }
    audience.close();
  } finally {
    await parley.stop();
  }
}

async function join(parley: Parley, channelId: string, people: readonly SignedIn[]): Promise<void> {
  const { db } = openDatabase(parley);
  for (let at = 0; at < people.length; at += 1000)
    await db
      .insert(channelMembers)
      .values(people.slice(at, at + 1000).map(({ id: userId }) => ({ channelId, userId, joinedAt: Date.now() })));
}

type Post = (content: string) => Promise<unknown>;

async function measure(
  audience: Audience,
  post: Post,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<{ times: number[]; lost: number }> {
  const arrivals: Promise<number | undefined>[] = [];
  const begin = performance.now();
  for (let number = 0; number < perSecond * seconds; number++) {
    await wait(Math.max(0, begin + (number * 1000) / perSecond - performance.now()));
    const content = crypto.randomUUID();
    const sentAt = performance.now();
    arrivals.push(audience.everywhere(content).then((at) => at && at - sentAt));
    // What is refused is not everywhere: that is counted.
    post(content).catch(() => undefined);
  }
  const times = await Promise.all(arrivals);
  const arrived = times.filter((time) => time !== undefined);
  return { times: arrived, lost: times.length - arrived.length };
}

/** Open tabs that only look at which messages come. */
class Audience {
  readonly #url: string;
  readonly #sockets: WebSocket[] = [];
  readonly #waiting = new Map<string, { left: number; done: (at: number) => void }>();

  constructor(url: string) {
    this.#url = url.replace(/^http/, "ws");
  }

  async open({ token }: SignedIn): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    // Node's WebSocket takes headers; browsers send a cookie.
    const socket = new WebSocket(`${this.#url}/api/v1/events`, { headers } as unknown as string[]);
    this.#sockets.push(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => {
        socket.send(JSON.stringify({ kind: "hello" }));
        socket.send(JSON.stringify({ kind: "visible", visible: true }));
      });
      socket.addEventListener("message", ({ data }) => {
        const text = data as string;
        if (text.startsWith('{"kind":"welcome"')) resolve();
        else this.#hear(text);
      });
      socket.addEventListener("error", () => reject(new Error("a socket did not open")));
    });
  }

  /** Resolves with the moment at which the last tab has the message; undefined where one never gets it. */
  everywhere(content: string): Promise<number | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), timeoutMs);
      this.#waiting.set(content, {
        left: this.#sockets.length,
        done: (at) => {
          clearTimeout(timer);
          this.#waiting.delete(content);
          resolve(at);
        },
      });
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }

  #hear(text: string): void {
    if (!text.includes('"channel:message"')) return;
    const content = /"content":"([^"]*)"/.exec(text)?.[1];
    const waiting = content === undefined ? undefined : this.#waiting.get(content);
    if (waiting && --waiting.left === 0) waiting.done(performance.now());
  }
}
