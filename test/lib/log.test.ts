import { afterEach, describe, expect, test, vi } from "vitest";
import { hideSecrets } from "../../src/lib/hide-secrets.ts";
import { type LogEntry, logFormats, renderLine } from "../../src/lib/log-line.ts";
import { configureLog, consoleLog, logWith } from "../../src/lib/log.ts";

afterEach(() => {
  vi.restoreAllMocks();
  configureLog("info", []);
});

function written(work: () => void): LogEntry[] {
  const lines: string[] = [];
  for (const method of ["log", "warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(line));
  work();
  return lines.map((line) => JSON.parse(line) as LogEntry);
}

/** What must never be seen, in the text in which it may come. */
const seeded: Record<string, (secret: string) => string> = {
  "bearer token": (s) => `refused: Authorization: Bearer ${s}`,
  "basic credentials": (s) => `refused: Authorization: Basic ${s}==`,
  "bearer without a header": (s) => `the header was Bearer ${s}`,
  "x-api-key header": (s) => `x-api-key: ${s}`,
  "password in JSON": (s) => `body {"email":"ada@example.com","password":"${s} and more"}`,
  "password in escaped JSON": (s) => `{\\"password\\":\\"${s}\\"}`,
  "password in a form": (s) => `email=ada&password=${s}&next=1`,
  passphrase: (s) => `passphrase: correct ${s} battery`,
  "client secret": (s) => `client_secret=${s}`,
  "access token": (s) => `{"access_token": "${s}"}`,
  "refresh token": (s) => `'refresh_token': '${s}'`,
  "id token": (s) => `id_token=${s}`,
  "private key in JSON": (s) => `"private_key": "${s}"`,
  "OIDC code in a query": (s) => `GET /oauth/oidc/callback?code=${s}&state=1`,
  "OIDC state in a query": (s) => `GET /oauth/oidc/callback?code=1&state=${s}`,
  "nonce in a query": (s) => `nonce=${s}`,
  "code verifier": (s) => `code_verifier=${s}`,
  "cookie header": (s) => `cookie: theme=dark; token=${s}`,
  "set-cookie header": (s) => `set-cookie: session=${s}; HttpOnly`,
  "user and password in an address": (s) => `cannot reach https://ada:${s}@models.example/v1`,
  "password of a database address": (s) => `postgres://parley:${s}@db.example`,
  "key in the query of an address": (s) => `https://models.example/v1?key=${s}`,
  "webhook of Slack": (s) => `POST https://hooks.slack.com/services/T00/B00/${s} answered 500`,
  "webhook of Discord": (s) => `https://discord.com/api/webhooks/1/${s}`,
  "bot of Telegram": (s) => `https://api.telegram.org/bot42:${s}/sendMessage`,
  "signed address": (s) => `https://s3.example/b/o?X-Amz-Signature=${s}`,
  "signature in a query": (s) => `file?signature=${s}`,
  "API key of Parley": (s) => `the key sk-${s} is unknown`,
  "key of Anthropic": (s) => `sk-ant-api03-${s}`,
  "key of Google": (s) => `AIza${s}`,
  "key of AWS": (s) => `AKIA${s}`,
  "token of GitHub": (s) => `ghp_${s}`,
  "token of GitLab": (s) => `glpat-${s}`,
  "token of Slack": (s) => `xoxb-${s}`,
  "token of Hugging Face": (s) => `hf_${s}`,
  "secret of a webhook": (s) => `whsec_${s}`,
  JWT: (s) => `eyJhbGciOi.eyJzdWIiOi${s}.${s}`,
  "PEM key": (s) => `-----BEGIN PRIVATE KEY-----\n${s}\n-----END PRIVATE KEY-----`,
  "values of a statement": (s) => `Failed query: insert into t values (?)\nparams: 1,${s},2`,
  "text that is not JSON": (s) => `Unexpected token 'x', "x ${s}" is not valid JSON`,
  "random text": (s) => `it was ${s}${s.toUpperCase()}`,
  "environment variable": (s) => `OPENAI_API_KEY=${s}`,
};
const secret = "q7Zk3vLw9pXr2bTn";

describe("a secret", () => {
  test(`is known in ${Object.keys(seeded).length} forms`, () => expect(Object.keys(seeded).length).toBeGreaterThan(39));

  test.each(Object.entries(seeded))("is in no line: %s", (_name, text) => {
    const said = text(secret);
    expect(said).toContain(secret);
    const entries = written(() => {
      consoleLog.error(said, {
        text: said,
        nested: { list: [said] },
        error: new Error(said, { cause: new Error(said) }),
      });
    });
    for (const format of logFormats)
      expect(renderLine(entries[0]!, format).toLowerCase()).not.toContain(secret.toLowerCase());
    expect(hideSecrets(said)).toContain("…");
  });

  test("is in no line when it is a value of the environment, or the value of a field with such a name", () => {
    configureLog("info", ["correct horse"]);
    const [entry] = written(() =>
      consoleLog.info("it says correct horse", { a: "correct horse!", password: "hunter2", api_key: 12 }),
    );
    expect(entry).toMatchObject({ message: "it says …", a: "…!", password: "…", api_key: "…" });
  });
});

test.each([
  "could not notify tabs",
  "The plugin function/0192f0c1-7a3e-7c55-8f7e-0123456789ab was stopped: memory",
  "at readUpstreamAnswer2 (file:///srv/parley/src/upstream/answers/read-upstream-answer.ts:12:34)",
  "connect ECONNREFUSED 127.0.0.1:8080",
  "model qwen2-5-coder-32b-instruct-q4_k_m is not there",
  "Parley is ready on http://127.0.0.1:8080",
  "code: ECONNRESET, state: failed, max_tokens: 100",
  "kept in /data/snapshots/2026-11-23T16-18-13Z-before-0056_legal-hold-triggers.sqlite",
  "parley-2026-11-23T16-18-13Z.tar.zst",
])("%s stays as it is", (text) => expect(hideSecrets(text)).toBe(text));

test("a text of 8000 characters takes no time, whatever is in it", () => {
  const begun = performance.now();
  for (const piece of [
    "a-",
    "secret",
    '"',
    "\\",
    "eyJ",
    "password=",
    "https://",
    "-----BEGIN KEY-----",
    "\nparams: ",
    "Bearer ",
  ])
    hideSecrets(piece.repeat(8000 / piece.length));
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test("a line has time, level, part, message and fields in both forms, and is one line", () => {
  const [entry] = written(() =>
    logWith(consoleLog, { request_id: "r1" }).warn("two\nlines", { ms: 3, text: "a b\nc" }),
  );
  expect(entry).toMatchObject({ level: "warn", part: "service", request_id: "r1", ms: 3 });
  expect(renderLine(entry!, "text")).toBe(`${entry!.time} warn  service two | lines ms=3 text="a b\\nc" request_id=r1`);
  expect(JSON.parse(renderLine(entry!, "json"))).toEqual(entry);
  expect(entry!.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("the id of a trace is no secret, other texts under its name are", () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const ids = () => {
    logWith(consoleLog, { trace_id: traceId }).info("one", { text: traceId });
    consoleLog.info("two", { trace_id: `${traceId}0` });
  };
  expect(written(ids).map(({ trace_id: id, text }) => [id, text])).toEqual([
    [traceId, "…"],
    ["…", undefined],
  ]);
  vi.restoreAllMocks();
  configureLog("info", [traceId]);
  expect(written(ids)[0]).toMatchObject({ trace_id: "…" });
});

test("LOG_LEVEL keeps lesser lines away", () => {
  const all = () => {
    for (const level of ["debug", "info", "warn", "error"] as const) consoleLog[level](level);
  };
  configureLog("warn", []);
  expect(written(all).map(({ level }) => level)).toEqual(["warn", "error"]);
  vi.restoreAllMocks();
  configureLog("debug", []);
  expect(written(all).map(({ level }) => level)).toEqual(["debug", "info", "warn", "error"]);
});
