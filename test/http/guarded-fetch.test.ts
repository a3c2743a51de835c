import { describe, expect, test } from "vitest";
import { createGuardedFetch } from "../../src/http/guarded-fetch.ts";

/** A network in which each address answers what it is told to, and which notes who was called and by which way. */
function network(answers: Record<string, () => Response>) {
  const calls: { way: "public" | "trusted"; url: string; method: string; headers: Headers; body: string }[] = [];
  const way = (name: "public" | "trusted") =>
    (async (input: RequestInfo) => {
      const request = new Request(input);
      calls.push({
        way: name,
        url: request.url,
        method: request.method,
        headers: request.headers,
        body: await request.clone().text(),
      });
      return answers[request.url]?.() ?? new Response("here");
    }) as typeof fetch;
  return { calls, guarded: (allowed: string[] = []) => createGuardedFetch(way("public"), way("trusted"), allowed) };
}

const redirect =
  (to: string, status = 302) =>
  () =>
    new Response(null, { status, headers: { location: to } });

describe("addresses", () => {
  test.each([
    "http://127.0.0.1/",
    "http://localhost:3000/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://127.1/",
    "http://１２７.0.0.1/",
    "http://10.1.2.3/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://100.64.0.1/",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
    "http://[64:ff9b::a00:1]/",
    "http://[64:ff9b:1::10.0.0.1]/",
    "http://[64:ff9b:1:fffe::10.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[::7f00:1]/",
    "http://[::0.0.0.0]/",
    "http://[0:0:0:0:0:ffff:7f00:1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[2002:7f00:1::1]/",
    "http://[2001:0:4136:e378:8000:63bf:f5ff:fffe]/",
    "http://[2a00:1450::5efe:10.0.0.1]/",
    "http://[2a00:1450::200:5efe:10.0.0.1]/",
    "http://[fe80::5efe:10.0.0.1]/",
    "http://[::5efe:10.0.0.1]/",
    "http://[1000::1]/",
    "http://[fec0::1]/",
    "http://0.0.0.0/",
    "http://224.0.0.1/",
    "http://metadata.google.internal/",
    "http://printer.local/",
    "http://router/",
    "http://localhost./",
    "ftp://example.com/",
    "file:///etc/passwd",
  ])("%s is refused before anything is sent", async (url) => {
    const { calls, guarded } = network({});
    await expect(guarded()(url)).rejects.toMatchObject({ code: "address_not_allowed" });
    expect(calls).toEqual([]);
  });

  test("public names and addresses go out by the fenced way", async () => {
    const { calls, guarded } = network({});
    await guarded()("https://example.com/hook");
    await guarded()("http://93.184.216.34/");
    expect(calls.map((call) => call.way)).toEqual(["public", "public"]);
  });

  test.each([
    [["127.0.0.1:9000"], "http://127.0.0.1:9000/x", true],
    [["127.0.0.1:9000"], "http://127.0.0.1:9001/x", false],
    [["127.0.0.1"], "http://127.0.0.1:9001/x", true],
    [["tools.internal"], "https://TOOLS.internal/x", true],
    [["tools.internal:443"], "https://tools.internal/x", true],
    [["tools.internal:443"], "http://tools.internal/x", false],
  ])("with %j allowed, %s: %s", async (allowed, url, goes) => {
    const { calls, guarded } = network({});
    const outcome = await guarded(allowed)(url).then(
      () => true,
      () => false,
    );
    expect(outcome).toBe(goes);
    expect(calls.map((call) => call.way)).toEqual(goes ? ["trusted"] : []);
  });
});

describe("redirects", () => {
  test("every hop is checked", async () => {
    const { calls, guarded } = network({ "https://example.com/a": redirect("http://169.254.169.254/") });
    await expect(guarded()("https://example.com/a")).rejects.toMatchObject({ code: "address_not_allowed" });
    expect(calls).toHaveLength(1);
  });

  test("a loop ends", async () => {
    const { calls, guarded } = network({ "https://example.com/a": redirect("/a") });
    await expect(guarded()("https://example.com/a")).rejects.toMatchObject({ code: "address_not_allowed" });
    expect(calls).toHaveLength(6);
  });

  test("secrets stay with their origin, and bodies follow 307 only", async () => {
    const { calls, guarded } = network({
      "https://example.com/a": redirect("https://other.example/b", 307),
      "https://example.com/c": redirect("https://example.com/d", 302),
    });
    const init = {
      method: "POST",
      body: "{}",
      headers: { authorization: "Bearer x", "content-type": "application/json" },
    };
    await guarded()("https://example.com/a", init);
    expect(calls[1]).toMatchObject({ url: "https://other.example/b", method: "POST", body: "{}" });
    expect(calls[1]!.headers.get("authorization")).toBeNull();
    await guarded()("https://example.com/c", init);
    expect(calls[3]).toMatchObject({ method: "GET", body: "" });
    expect(calls[3]!.headers.get("authorization")).toBe("Bearer x");
  });

  test("with redirect: manual, the redirect is the answer", async () => {
    const { guarded } = network({ "https://example.com/a": redirect("http://127.0.0.1/") });
    expect((await guarded()("https://example.com/a", { redirect: "manual" })).status).toBe(302);
  });
});
