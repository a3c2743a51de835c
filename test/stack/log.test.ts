import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Parley, startParley } from "./start-parley.ts";

/** Each is in a place of its own, so that a leak says which one. Short of what looks like a secret by itself. */
const secrets = Object.fromEntries(
  [
    "password wrongPassword newPassword bearer apiKey xApiKey cookie queryToken queryCode oidcCode oidcState webhookPath",
    "brokenJson providerKey providerKeyInAddress providerEcho toolServerKey settingOfClient metrics scim outgoing admin",
    "prompt formField pathSegment basic refusedTarget",
  ]
    .join(" ")
    .split(" ")
    .map((name) => [name, `zq${name}Zx9`]),
) as Record<string, string>;
const given = (name: string) => {
  const secret = secrets[name];
  if (secret === undefined) throw new Error(`no secret ${name}`);
  return secret;
};

/** A provider that repeats the key in its error, as some do, and a receiver of webhooks that fails. */
const echoing = createServer((request, response) => {
  response.writeHead(request.url?.includes("hook") ? 500 : 401, { "content-type": "application/json" });
  const said = `Incorrect API key provided: ${request.headers.authorization} ${given("providerEcho")}`;
  response.end(JSON.stringify({ error: { message: said, type: "invalid_request_error" } }));
});
let address: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => echoing.listen(0, "127.0.0.1", resolve));
  address = `127.0.0.1:${(echoing.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => echoing.close(resolve)));

const linePattern =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (?:error|warn |info |debug) (?:launcher|service|runtime|database) \S/;

interface Line {
  time: string;
  level: string;
  part: string;
  message: string;
  [field: string]: unknown;
}

/** Sends these bytes and waits until the other side closes the connection. */
async function sendRaw(url: string, text: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.end(text);
  socket.resume();
  await once(socket, "close");
}

async function seed(parley: Parley): Promise<{ person: string }> {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(parley.url + path, {
      method,
      redirect: "manual",
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, string>;
  };
  const email = "ada@example.com";
  const { token = "", id: person = "" } = await send("POST", "/api/v1/auths/signup", {
    name: "Ada",
    email,
    password: given("password"),
  });
  expect(token).not.toBe("");
  const own = { authorization: `Bearer ${token}` };
  await send("POST", "/api/v1/auths/signin", { email, password: given("wrongPassword") });
  await send(
    "POST",
    "/api/v1/auths/update/password",
    { password: given("password"), new_password: given("newPassword") },
    own,
  );
  await send("GET", "/api/v1/chats/", undefined, { authorization: `Bearer ${given("bearer")}` });
  await send("GET", "/api/v1/chats/", undefined, { authorization: `Bearer sk-${given("apiKey")}` });
  await send("GET", "/api/v1/chats/", undefined, { authorization: `Basic ${given("basic")}` });
  await send("POST", "/api/v1/messages", { model: "none", messages: [] }, { "x-api-key": given("xApiKey") });
  await send("GET", "/api/v1/chats/", undefined, { cookie: `token=${given("cookie")}` });
  await send("GET", `/api/v1/chats/?token=${given("queryToken")}&code=${given("queryCode")}`, undefined, own);
  await send("GET", `/oauth/oidc/callback?code=${given("oidcCode")}&state=${given("oidcState")}`);
  await send("POST", `/api/v1/channels/webhooks/0192f0c1-7a3e-7c55-8f7e-0123456789ab/${given("webhookPath")}`, {
    content: "x",
  });
  await send("GET", `/api/v1/nothing/${given("pathSegment")}`, undefined, own);
  await send("POST", "/api/v1/auths/signin", `{"email":"${given("brokenJson")}`);
  await send("POST", "/api/v1/auths/signin", `password=${given("formField")}`, {
    "content-type": "application/x-www-form-urlencoded",
  });
  const connection = {
    kind: "openai",
    enabled: true,
    base_url: `http://${address}/v1?key=${given("providerKeyInAddress")}`,
  };
  await send("POST", "/api/v1/connections", { ...connection, api_key: given("providerKey") }, own);
  await send(
    "POST",
    "/api/v1/connections",
    { ...connection, base_url: `http://${address}/v1`, key: given("providerKey") },
    own,
  );
  await send("GET", "/api/models", undefined, own);
  await send(
    "POST",
    "/api/v1/tool-servers",
    { url: `http://${address}`, kind: "openapi", key: given("toolServerKey") },
    own,
  );
  const messages = [{ role: "user", content: given("prompt") }];
  for (const model of ["gpt-1", "parley-guide"]) await send("POST", "/api/chat/completions", { model, messages }, own);
  return { person };
}

describe.each(["text", "json"] as const)("the log as %s", (format) => {
  let parley: Parley;
  let lines: string[];
  let person: string;
  beforeAll(async () => {
    parley = await startParley({
      env: {
        LOG_FORMAT: format,
        LOG_LEVEL: "debug",
        ACCESS_LOG: "true",
        METRICS_TOKEN: `${given("metrics")}-long-enough`,
        SCIM_ENABLED: "true",
        SCIM_TOKEN: `${given("scim")}-long-enough-for-a-token-of-scim`,
        OPENAI_API_BASE_URLS: `http://${address}/v1`,
        OPENAI_API_KEYS: given("settingOfClient"),
        WEBHOOK_URL: `http://${address}/hook/${given("outgoing")}`,
        OUTBOUND_ALLOWED_PRIVATE_HOSTS: address,
      },
    });
    ({ person } = await seed(parley));
    // The last request of all.
    await vi.waitUntil(() => parley.output.match(/\/api\/chat\/completions/g)?.length === 2, {
      timeout: 30_000,
      interval: 100,
    });
    // Refused before it comes to the service.
    await sendRaw(parley.url, `GET /${given("refusedTarget")} HTTP/1.1\r\nHost: a b\r\n\r\n`);
    const sqld = parley.processes().find(({ command }) => command.includes("--http-listen-addr"));
    process.kill(sqld!.pid, "SIGKILL");
    await vi.waitUntil(() => parley.output.includes("sqld is running again."), { timeout: 30_000, interval: 100 });
    await parley.terminate();
    lines = parley.output.split("\n").filter((line) => line !== "");
  });
  afterAll(() => parley?.stop());

  test("has no secret in it, wherever it came in", () => {
    const lower = parley.output.toLowerCase();
    expect(Object.values(secrets).filter((secret) => lower.includes(secret.toLowerCase()))).toEqual([]);
  });

  test("says time, level and part in each line", () => {
    const isWhole = (line: string) => {
      if (format === "text") return linePattern.test(line);
      const { time, level, part, message } = JSON.parse(line) as Line;
      return linePattern.test(`${time} ${level.padEnd(5)} ${part} ${message}`);
    };
    expect(lines.filter((line) => !isWhole(line))).toEqual([]);
    expect(lines.length).toBeGreaterThan(20);
  });

  test("has a line for each request, with its route, and who made it", () => {
    const about = lines.find((line) => line.includes("/api/v1/auths/update/password"))!;
    const fields = ["POST", "/api/v1/auths/update/password", "127.0.0.1", person];
    expect(fields.filter((field) => !about.includes(field))).toEqual([]);
    expect(about).toMatch(
      format === "text"
        ? / ms=\d+ bytes=\d+ .* request_id=[\da-f-]{36}$/
        : /"ms":\d+,"bytes":\d+,.*"request_id":"[\da-f-]{36}"/,
    );
    expect(lines.some((line) => /route(?:=|":")unknown/.test(line))).toBe(true);
  });

  test("has a line for what never came to the service", () => {
    const refused = lines.filter((line) => line.includes("request refused"));
    expect(refused).toEqual([
      expect.stringMatching(
        format === "text"
          ? / info {2}launcher request refused status=400 code=bad_request client=127\.0\.0\.1 request_id=[\da-f-]{36}$/
          : /"message":"request refused","status":400,"code":"bad_request","client":"127\.0\.0\.1","request_id":"[\da-f-]{36}"\}$/,
      ),
    ]);
  });
});
