import fc from "fast-check";
import { expect, test } from "vitest";
import { HranaSocket } from "../../../../workers/database/hrana/hrana-socket.ts";
import { type PoolObserver, StreamPool } from "../../../../workers/database/hrana/stream-pool.ts";

interface Message {
  type: string;
  request_id: number;
  request: { type: string; stream_id: number; name?: string };
}

/** The other end of a connection: what was asked, answered when the test says so. */
class FakeSocket extends EventTarget {
  readonly asked: Message[] = [];
  send(text: string): void {
    const message = JSON.parse(text) as Message;
    if (message.type !== "request") return;
    if (message.request.type === "execute") this.asked.push(message);
    else this.say({ type: "response_ok", request_id: message.request_id, response: { type: message.request.type } });
  }
  close(): void {
    this.dispatchEvent(Object.assign(new Event("close"), { code: 1000, reason: "" }));
  }
  say(message: object): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }
  answer({ request_id: id, request }: Message, error?: { message: string; code: string }): void {
    if (error) this.say({ type: "response_error", request_id: id, error });
    else this.say({ type: "response_ok", request_id: id, response: { type: "execute", name: request.name } });
  }
}

function open(maxStreams: number, observer?: PoolObserver) {
  const fake = new FakeSocket();
  const pool = new StreamPool(new HranaSocket(fake as unknown as WebSocket, "token"), maxStreams, observer);
  const run = (name: string) => pool.run({ type: "execute", name });
  return { fake, run };
}

test("whatever order answers come in, a stream does one thing at a time, and everybody gets their own", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 40 }),
      fc.integer({ min: 1, max: 5 }),
      fc.infiniteStream(fc.nat()),
      async (works, streams, choices) => {
        const { fake, run } = open(streams);
        const answers = Array.from({ length: works }, (_, at) => run(`${at}`));
        const under: Message[] = fake.asked;
        for (let done = 0; done < works; done++) {
          expect(new Set(under.map(({ request }) => request.stream_id)).size).toBe(under.length);
          expect(under.length).toBeLessThanOrEqual(streams);
          const [message] = under.splice((choices.next().value as number) % under.length, 1);
          const isRefused = ((choices.next().value as number) & 3) === 0;
          fake.answer(message!, isRefused ? { message: "gone", code: "STREAM_EXPIRED" } : undefined);
        }
        const outcomes = await Promise.all(answers);
        const names = outcomes.map((outcome) => outcome?.ok && (JSON.parse(outcome.response) as { name: string }).name);
        expect(names).toEqual(names.map((name, at) => name && `${at}`));
        expect(outcomes.filter((outcome) => !outcome?.ok && outcome?.code !== "STREAM_EXPIRED")).toEqual([]);
      },
    ),
  );
});

test("who waits for a stream is told, and for how long, however it ends", async () => {
  let waiting = 0;
  const waits: number[] = [];
  const observer: PoolObserver = {
    waits: () => void waiting++,
    leaves(since) {
      waiting--;
      waits.push(performance.now() - since);
    },
  };
  const { fake, run } = open(1, observer);
  const first = run("first");
  const second = run("second");
  const third = run("third");
  expect([waiting, waits.length]).toEqual([2, 1]);
  const before = performance.now();
  while (performance.now() - before < 5);
  fake.answer(fake.asked.shift()!);
  await first;
  expect([waiting, waits.length]).toEqual([1, 2]);
  expect(waits[1]).toBeGreaterThanOrEqual(5);
  const ends = Promise.allSettled([second, third]);
  fake.close();
  await ends;
  expect([waiting, waits.length]).toEqual([0, 3]);
});

test("a stream that broke is not used again", async () => {
  const { fake, run } = open(1);
  const first = run("first");
  const { stream_id: broken } = fake.asked[0]!.request;
  fake.answer(fake.asked.shift()!, { message: "gone", code: "STREAM_EXPIRED" });
  await first;
  void run("second");
  expect(fake.asked[0]!.request.stream_id).not.toBe(broken);
});

test("with the connection, what was sent fails and what was not is given back", async () => {
  const { fake, run } = open(1);
  const sent = run("sent");
  const waiting = run("waiting");
  fake.close();
  await expect(sent).rejects.toThrow(/connection to the database was lost/);
  expect(await waiting).toBeUndefined();
  expect(await run("later")).toBeUndefined();
});

test("what waits longest is known, whatever is answered beside it", async () => {
  const fake = new FakeSocket();
  const socket = new HranaSocket(fake as unknown as WebSocket, undefined);
  expect(socket.waitingSince).toBeUndefined();
  const before = Date.now();
  for (const name of ["stuck", "quick"]) socket.request({ type: "execute", name }, () => undefined);
  const since = socket.waitingSince!;
  expect(since).toBeGreaterThanOrEqual(before);
  fake.answer(fake.asked[1]!);
  expect(socket.waitingSince).toBe(since);
  fake.answer(fake.asked[0]!);
  expect(socket.waitingSince).toBeUndefined();
});
