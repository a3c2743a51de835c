import { argon2id } from "@noble/hashes/argon2.js";
import { hashSync } from "bcryptjs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Parley, signalIfAlive, startParley } from "./start-parley.ts";

const email = "ada@harbour.example";
const password = "correct horse battery staple";

let parley: Parley;
let token: string;
/** Before anybody signed in. */
let atStart: number | undefined;

function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(parley.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}
const signIn = (address = email) => post("/api/v1/auths/signin", { email: address, password });
const signsIn = () =>
  vi.waitFor(async () => expect((await signIn()).status).toBe(200), { timeout: 30_000, interval: 200 });
const findAll = () => parley.processes().filter(({ command }) => /passwords\d+\.sock/.test(command));
const find = () => findAll()[0]?.pid;
const endIt = async () => {
  const pid = find();
  if (pid !== undefined) signalIfAlive(pid, "SIGKILL");
  await expect.poll(find).toBeUndefined();
};

beforeAll(async () => {
  parley = await startParley();
  await fetch(`${parley.url}/ready`);
  atStart = find();
  const response = await post("/api/v1/auths/signup", { name: "Ada", email, password });
  ({ token } = (await response.json()) as { token: string });
});
afterAll(() => parley.stop());

test("it is not there before the first sign-in, and many at once share it", async () => {
  expect(atStart).toBeUndefined();
  await endIt();
  const answers = await Promise.all(Array.from({ length: 5 }, () => signIn()));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(findAll()).toHaveLength(1);
});

test("health, chats and pages are answered while no hash comes to an end, and sign-ins then say when to come back", async () => {
  await signsIn();
  const pid = find()!;
  process.kill(pid, "SIGSTOP");
  try {
    const guesses = Array.from({ length: 40 }, (_, index) => signIn(`guess${index}@harbour.example`));
    for (let round = 0; round < 10; round++) {
      expect((await fetch(`${parley.url}/health`)).status).toBe(200);
      const messages = [{ role: "user", content: "How do I change my password?" }];
      const chat = await post(
        "/api/chat/completions",
        { model: "parley-guide", messages },
        { authorization: `Bearer ${token}` },
      );
      expect(chat.status).toBe(200);
      expect(await chat.text()).toContain("Settings");
    }
    const answers = await Promise.all(guesses);
    // Nobody waits for it longer than a hash may take: then another process has its place.
    expect(answers.map(({ status }) => status)).toContain(503);
    const told = answers.map(async (answer) => {
      const { code } = (await answer.json()) as { code: string };
      return [answer.status, code, answer.headers.get("retry-after")].join(" ");
    });
    const expected = new Set(["400 invalid_credentials ", "429 too_many_requests 5", "503 passwords_unavailable 5"]);
    expect((await Promise.all(told)).filter((each) => !expected.has(each))).toEqual([]);
    await signsIn();
    expect(find()).not.toBe(pid);
  } finally {
    signalIfAlive(pid, "SIGCONT");
  }
});

test("hashes of another product are checked there, as dear as they come", async () => {
  const admin = { authorization: `Bearer ${token}` };
  const begun = await post("/api/v1/imports", { source: "open-webui", fingerprint: "x", name: "webui.db" }, admin);
  const { id } = (await begun.json()) as { id: string };
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const options = { m: 65_536, t: 3, p: 4, dkLen: 32 };
  const bare = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll("=", "");
  const argon2 = `$argon2id$v=19$m=65536,t=3,p=4$${bare(salt)}$${bare(argon2id(password, salt, options))}`;
  const records = [hashSync(password, 12), argon2].map((hash, index) => ({
    kind: "person",
    id: `person-${index}`,
    name: "Bo",
    email: `bo${index}@harbour.example`,
    role: "user",
    password: hash,
  }));
  expect((await post(`/api/v1/imports/${id}/records`, { records }, admin)).status).toBe(200);
  for (const { email: address } of records) {
    const wrong = await post("/api/v1/auths/signin", { email: address, password: "wrong" });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { code: "invalid_credentials" }]);
    expect((await signIn(address)).status).toBe(200);
    expect((await signIn(address)).status).toBe(200);
  }
});

test("killed, it is not missed: the next sign-in starts another one, more often than the launcher allows other parts", async () => {
  for (let death = 0; death < 7; death++) {
    await signsIn();
    await endIt();
    expect((await fetch(`${parley.url}/health`)).status).toBe(200);
  }
  expect((await signIn()).status).toBe(200);
});

test("no password is in the log", () => {
  expect(parley.output).not.toContain(password);
});
