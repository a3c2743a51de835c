import { afterEach, describe, expect, it } from "vitest";
import { maxReserve } from "../../../scripts/launch/front/front.ts";
import { answer, closeAll, request, Stage } from "./lines.ts";

afterEach(closeAll);

/** More than all buffers on the way hold. */
const length = 64 * 1024 * 1024;

describe("what passes", () => {
  it("resets a caller who takes nothing for long, and the connection behind it", async () => {
    const stage = await Stage.open({}, { stallMs: 50 });
    const caller = await stage.call(request());
    caller.socket.pause();
    const inner = await stage.opened(0);
    inner.socket.end(Buffer.alloc(length));
    await inner.ended;
    caller.socket.resume();
    expect(await caller.ended).toBe("ECONNRESET");
  });

  it("lets those who read have everything", async () => {
    const stage = await Stage.open();
    const caller = await stage.call(request());
    let got = 0;
    caller.socket.removeAllListeners("data").on("data", (bytes) => (got += bytes.length));
    (await stage.opened(0)).socket.end(Buffer.alloc(length));
    await caller.ended;
    expect(got).toBe(length);
  });

  it("turns the end of the caller's side into a reset", async () => {
    const stage = await Stage.open();
    const caller = await stage.call(request());
    const inner = await stage.opened(0);
    await inner.until(/\r\n\r\n/);
    caller.socket.end();
    expect(await inner.ended).toBe("ECONNRESET");
  });

  it("passes a body on as it comes, and tells the length apart from the next request", async () => {
    const stage = await Stage.open();
    const hidden = "GET /hidden HTTP/1.1\r\nX-Parley-Client-Address: 1.2.3.4\r\n\r\n";
    const caller = await stage.call(request("POST /a HTTP/1.1", [`Content-Length: ${hidden.length}`]));
    const inner = await stage.opened(0);
    await inner.until(/\r\n\r\n$/);
    caller.socket.write(hidden + request("GET /b HTTP/1.1", ["X-Parley-Client-Address: 1.2.3.4"]));
    const text = await inner.until(/GET \/b[^]*\r\n\r\n$/);
    expect(text.split(hidden)).toHaveLength(2);
    expect(text.split(hidden)[1]).toBe(
      "GET /b HTTP/1.1\r\nHost: localhost\r\nx-parley-client-address: 127.0.0.1\r\n\r\n",
    );
  });

  it("lets a caller wait for 100 before the body", async () => {
    const stage = await Stage.open();
    const caller = await stage.call(request("POST / HTTP/1.1", ["Content-Length: 2", "Expect: 100-continue"]));
    const inner = await stage.opened(0);
    await inner.until(/Expect: 100-continue/);
    inner.socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    await caller.until(/100 Continue/);
    caller.socket.write("{}");
    expect(await inner.until(/\{\}$/)).toMatch(/\r\n\r\n\{\}$/);
  });

  it("passes chunks on and keeps trailers to itself", async () => {
    const stage = await Stage.open();
    const chunks = "2\r\n{}\r\n0\r\n";
    await stage.call(
      `${request("POST / HTTP/1.1", ["Transfer-Encoding: chunked"])}${chunks}GET: /hidden\r\n\r\n${request("GET /b HTTP/1.1")}`,
    );
    const text = await (await stage.opened(0)).until(/GET \/b[^]*\r\n\r\n$/);
    expect(text).toContain(`${chunks}\r\nGET /b`);
    expect(text).not.toContain("hidden");
  });
});

describe("WebSockets", () => {
  const upgrade = request("GET /ws HTTP/1.1", ["Connection: Upgrade", "Upgrade: WebSocket"]);

  it("pass bytes as they are, once accepted", async () => {
    const stage = await Stage.open();
    const caller = await stage.call(`${upgrade}\0early`);
    const inner = await stage.opened(0);
    expect(await inner.until(/\r\n\r\n/)).not.toContain("early");
    inner.socket.write("HTTP/1.1 1");
    inner.socket.write("01 Switching Protocols\r\n\r\n");
    await inner.until(/early/);
    caller.socket.write("\0late");
    await inner.until(/late/);
    inner.socket.write("\0back");
    await caller.until(/back/);
  });

  it("that are not accepted leave no way for requests that nobody checked", async () => {
    const stage = await Stage.open();
    const caller = await stage.call(upgrade + request("GET /hidden HTTP/1.1"));
    const inner = await stage.opened(0);
    await inner.until(/\r\n\r\n/);
    inner.socket.write(answer);
    expect(await inner.ended).toBe("end");
    inner.socket.end();
    await caller.ended;
    expect(caller.text).toBe(answer);
    expect(inner.text).not.toContain("hidden");
  });

  it("get a connection of their own behind earlier requests", async () => {
    const stage = await Stage.open();
    const caller = await stage.call(`${request("GET /first HTTP/1.1")}${upgrade}early`);
    const first = await stage.opened(0);
    expect(await first.ended).toBe("end");
    expect(first.text).not.toContain("/ws");
    // What looks like the acceptance is the answer to another request.
    first.socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    const second = await stage.opened(1);
    expect(await second.until(/\/ws[^]*\r\n\r\n/)).not.toContain("early");
    second.socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    await second.until(/early/);
    await caller.until(/101[^]*101/);
  });
});

describe("what is refused", () => {
  it.each([
    ["two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
    ["a length and chunks", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ["another encoding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"],
    ["an encoding with a strange space", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\xA0\r\n\r\n"],
    ["an encoding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ["a signed length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n"],
    ["a list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n"],
    ["a space before the colon", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 1\r\n\r\n"],
    ["a folded header", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n"],
    ["a bare line feed", "GET / HTTP/1.1\nHost: a\n\n"],
    ["a bare line feed in a value", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\nX-B: c\r\n\r\n"],
    ["a bare carriage return", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\rc\r\n\r\n"],
    ["a null byte", "GET / HTTP/1.1\r\nHost: a\r\nX-A: \0\r\n\r\n"],
    ["no Host", "GET / HTTP/1.1\r\n\r\n"],
    ["two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"],
    ["an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"],
    ["a Host with a path", "GET / HTTP/1.1\r\nHost: localhost/health\r\n\r\n"],
    ["a Host with a query", "GET / HTTP/1.1\r\nHost: localhost?a\r\n\r\n"],
    ["a Host with a fragment", "GET / HTTP/1.1\r\nHost: localhost#a\r\n\r\n"],
    ["a Host with a user", "GET / HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n"],
    ["a Host with a backslash", "GET / HTTP/1.1\r\nHost: localhost\\a\r\n\r\n"],
    ["two ways to name the host", "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["an address of a tunnel", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n"],
    ["a WebSocket with a body", "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nContent-Length: 1\r\n\r\n"],
    ["no HTTP", "\x16\x03\x01\0\r\n"],
    ["spaces in the address", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"],
  ])("%s: 400, and nothing reaches the service", async (_what, bytes) => {
    const stage = await Stage.open({ ALLOWED_HOSTS: "*" });
    const caller = await stage.call(bytes);
    await caller.ended;
    expect(caller.text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*Connection: close\r\n/);
    const body = JSON.parse(caller.text.split("\r\n\r\n")[1]!) as { detail: string; error: { message: string } };
    expect(body.detail).toMatch(/^[A-Z].*\.$/);
    expect(body.error.message).toBe(body.detail);
    expect(stage.inner).toEqual([]);
  });

  it("a head that is too long is 431, another version 505", async () => {
    const stage = await Stage.open();
    const long = await stage.call(`GET / HTTP/1.1\r\nX-A: ${"a".repeat(70_000)}`);
    expect(await long.until(/\}$/)).toMatch(/^HTTP\/1\.1 431 /);
    const other = await stage.call("PRI * HTTP/2.0\r\n\r\n");
    expect(await other.until(/\}$/)).toMatch(/^HTTP\/1\.1 505 /);
  });

  it("a later request is refused behind the answers that are still to come", async () => {
    const stage = await Stage.open();
    const caller = await stage.call(request() + request("GET / HTTP/1.1", ["Host: localhost"]) + request());
    const inner = await stage.opened(0);
    expect(await inner.ended).toBe("end");
    expect(inner.text.match(/GET/g)).toHaveLength(1);
    expect(caller.text).toBe("");
    inner.socket.end(answer);
    await caller.ended;
    expect(caller.text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nokHTTP\/1\.1 400 /);
  });

  it.each(["z\r\n", "\r\n", "-1\r\n", "1;a=b\r\n", "1\n", "100000000000\r\n", "2\r\nabc"])(
    "a bad chunk, %j: 400, and the service sees the request torn off",
    async (chunk) => {
      const stage = await Stage.open();
      const caller = await stage.call(request("POST / HTTP/1.1", ["Transfer-Encoding: chunked"]));
      const inner = await stage.opened(0);
      await inner.until(/\r\n\r\n$/);
      caller.socket.write(chunk);
      expect(await caller.until(/\}$/)).toMatch(/^HTTP\/1\.1 400 /);
      expect(await inner.ended).toBe("ECONNRESET");
    },
  );

  it("a bad chunk of a later request gets no answer, which would be taken for that of the first", async () => {
    const stage = await Stage.open();
    const chunked = request("POST / HTTP/1.1", ["Transfer-Encoding: chunked"]);
    const caller = await stage.call(request() + chunked);
    await (await stage.opened(0)).until(/POST[^]*\r\n\r\n/);
    caller.socket.write("z");
    expect(await caller.ended).toBe("ECONNRESET");
    expect(caller.text).toBe("");
  });
});

describe("callers who are slow", () => {
  it("have some time for a head, and cost no connection inside", async () => {
    const stage = await Stage.open({}, { headMs: 20 });
    const caller = await stage.call("GET / HTT");
    expect(await caller.until(/\}$/)).toMatch(/^HTTP\/1\.1 408 [^]*0\.02 seconds/);
    await caller.ended;
    expect(stage.inner).toEqual([]);
  });

  it("have the same time for a later head", async () => {
    const stage = await Stage.open({}, { headMs: 20 });
    const caller = await stage.call(`${request()}GET`);
    const inner = await stage.opened(0);
    expect(await inner.ended).toBe("end");
    inner.socket.end(answer);
    expect(await caller.until(/\}$/)).toMatch(/okHTTP\/1\.1 408 /);
  });

  it("have some time for each piece of a body", async () => {
    const stage = await Stage.open({}, { bodyMs: 100 });
    const caller = await stage.call(`${request("POST / HTTP/1.1", ["Content-Length: 9"])}abc`);
    expect(await caller.until(/\}$/)).toMatch(/^HTTP\/1\.1 408 /);
    expect(await (await stage.opened(0)).ended).toBe("ECONNRESET");
  });

  it("are not the slow ones where the service has not asked for the body", async () => {
    const stage = await Stage.open({}, { bodyMs: 20 });
    const waits = await stage.call(request("POST / HTTP/1.1", ["Content-Length: 9", "Expect: 100-continue"]));
    const slow = await stage.call(request("POST / HTTP/1.1", ["Content-Length: 9"]));
    await slow.until(/ 408 /);
    expect(waits.text).toBe("");
    (await stage.opened(0)).socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    expect(await waits.ended).toBe("ECONNRESET");
  });

  it("are reset where a refusal could be taken for the answer", async () => {
    const stage = await Stage.open({}, { bodyMs: 20 });
    const caller = await stage.call(request());
    (await stage.opened(0)).socket.write(answer);
    await caller.until(/ok$/);
    caller.socket.write(`${request("POST / HTTP/1.1", ["Content-Length: 9"])}abc`);
    expect(await caller.ended).toBe("ECONNRESET");
    expect(caller.text).toBe(answer);
  });
});

describe("too many connections", () => {
  it("are refused, but the health is told", async () => {
    const stage = await Stage.open({ MAX_CONNECTIONS: "1" });
    await stage.call(request("GET /long HTTP/1.1"));
    await stage.opened(0);
    const second = await stage.call(request());
    expect(await second.until(/\}$/)).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After/);
    const third = await stage.call(request("GET /health HTTP/1.1") + request("GET /health HTTP/1.1"));
    const inner = await stage.opened(1);
    expect(await inner.ended).toBe("end");
    expect(inner.text.match(/GET/g)).toHaveLength(1);
    inner.socket.end(answer);
    expect(await third.until(/ok$/)).toBe(answer);
    expect(stage.inner).toHaveLength(2);
  });

  it("get in when there is room again", async () => {
    const stage = await Stage.open({ MAX_CONNECTIONS: "1" });
    const first = await stage.call(request());
    const inner = await stage.opened(0);
    const second = await stage.call("GET /second HTTP/1.1\r\n");
    first.socket.destroy();
    await inner.ended;
    second.socket.write("Host: localhost\r\n\r\n");
    expect(await (await stage.opened(1)).until(/\r\n\r\n$/)).toMatch(/^GET \/second/);
  });

  it("do not hold the reserve by saying nothing", async () => {
    const stage = await Stage.open({ MAX_CONNECTIONS: "1" });
    await stage.call(request());
    await stage.opened(0);
    const silent = await stage.call();
    for (let more = 0; more < maxReserve; more++) await stage.call();
    expect(await silent.until(/\}$/)).toMatch(/^HTTP\/1\.1 503 /);
  });

  it("of one address are refused", async () => {
    const stage = await Stage.open({ MAX_CONNECTIONS_PER_ADDRESS: "1" }, {}, { isShared: () => false });
    const first = await stage.call(request());
    const inner = await stage.opened(0);
    const second = await stage.call();
    expect(await second.until(/\}$/)).toMatch(/^HTTP\/1\.1 429 /);
    first.socket.destroy();
    await inner.ended;
    await stage.call(request());
    await stage.opened(1);
  });
});

describe("who calls, and where", () => {
  /** What the service sees of the headers that the front sets. */
  async function told(env: Record<string, string>, headers: readonly string[]): Promise<string[]> {
    const stage = await Stage.open(env);
    await stage.call(request("GET / HTTP/1.1", headers));
    const text = await (await stage.opened(0)).until(/\r\n\r\n/);
    return text.split("\r\n").filter((line) => /^x-parley/i.test(line));
  }
  const forged = ["X-Parley-Client-ADDRESS: 1.2.3.4", "x-parley-public-origin: https://evil.example"];
  const forwarded = [
    "X-Forwarded-For: 1.2.3.4, 198.51.100.7:4711",
    "X-Forwarded-For: 127.0.0.9",
    "X-Forwarded-Proto: https",
  ];

  it("callers cannot say it themselves", async () => {
    expect(await told({}, [...forged, ...forwarded])).toEqual(["x-parley-client-address: 127.0.0.1"]);
    expect(await told({ TRUSTED_PROXIES: "10.0.0.0/8" }, [...forged, ...forwarded])).toEqual([
      "x-parley-client-address: 127.0.0.1",
    ]);
  });

  it("trusted proxies can", async () => {
    expect(await told({ TRUSTED_PROXIES: "10.0.0.0/8, loopback" }, [...forged, ...forwarded])).toEqual([
      "x-parley-client-address: 198.51.100.7",
      "x-parley-public-origin: https://localhost",
    ]);
    expect(
      await told({ TRUSTED_PROXIES: "127.0.0.1", ALLOWED_HOSTS: "chat.example" }, [
        "X-Forwarded-Host: Chat.example:443",
        "X-Forwarded-Proto: https",
      ]),
    ).toEqual(["x-parley-client-address: 127.0.0.1", "x-parley-public-origin: https://chat.example"]);
  });

  it("trusted proxies can in the standard form too, unless they use the other one", async () => {
    const env = { TRUSTED_PROXIES: "loopback", ALLOWED_HOSTS: "chat.example" };
    const forwarded = 'Forwarded: for=1.2.3.4, For="[2001:db8::7]:4711";Proto=https;by=_x;host="chat.example"';
    expect(await told(env, [forwarded, "Forwarded: for=127.0.0.9;proto=https"])).toEqual([
      "x-parley-client-address: 2001:db8::7",
      "x-parley-public-origin: https://chat.example",
    ]);
    expect(await told(env, [forwarded, "X-Forwarded-For: 198.51.100.7"])).toEqual([
      "x-parley-client-address: 198.51.100.7",
    ]);
    expect(await told({}, [forwarded])).toEqual(["x-parley-client-address: 127.0.0.1"]);
    const stage = await Stage.open(env);
    const caller = await stage.call(request("GET / HTTP/1.1", ['Forwarded: for="1.2.3.4']));
    expect(await caller.until(/\}$/)).toMatch(/^HTTP\/1\.1 400 [^]*Forwarded header/);
  });

  it("other hosts are refused with the names of the settings, except for the health", async () => {
    const stage = await Stage.open({ WEBUI_URL: "https://chat.example" });
    const elsewhere = (line: string) => `${line}\r\nHost: elsewhere.example\r\n\r\n`;
    const caller = await stage.call(elsewhere("GET / HTTP/1.1"));
    expect(await caller.until(/\}$/)).toMatch(/^HTTP\/1\.1 421 [^]*elsewhere\.example.*WEBUI_URL and ALLOWED_HOSTS/);
    await stage.call(elsewhere("HEAD /ready?a HTTP/1.1"));
    await (await stage.opened(0)).until(/\r\n\r\n/);
    await stage.call("GET http://chat.example?a HTTP/1.1\r\nHost: chat.example\r\n\r\n");
    await (await stage.opened(1)).until(/^GET \/\?a HTTP\/1.1\r\nHost: chat.example\r\n/);
  });
});
