import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFakeRuntime, type FakeRuntime } from "../local-models/fake-runtime.ts";
import { ollamaScript } from "./clients/ollama.ts";
import { startParley, type Parley } from "./start-parley.ts";

let runtime: FakeRuntime;
let parley: Parley;
const tokens = { person: "", admin: "" };
beforeAll(async () => {
  runtime = await startFakeRuntime();
  parley = await startParley({ env: { LOCALMODEL_BASE_URLS: runtime.origin, DEFAULT_USER_ROLE: "user" } });
  // The first account is the administrator's.
  tokens.admin = await signUp("grace");
  tokens.person = await signUp("ada");
});
afterAll(async () => {
  await parley?.stop();
  await runtime?.close();
});

async function signUp(name: string): Promise<string> {
  const response = await fetch(`${parley.url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, email: `${name}@harbour.example`, password: "correct horse battery" }),
  });
  return ((await response.json()) as { token: string }).token;
}

describe.each(["/localmodel", "/ollama"])("the runtime's own client below %s", (base) => {
  test.each(Object.entries(ollamaScript))("%s", async (_, run) => {
    await expect(run({ host: parley.url + base, tokens, runtime })).resolves.toBeUndefined();
  });
});
