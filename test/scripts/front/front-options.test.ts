import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { addressesIn, canonicalAddress, isLoopback } from "../../../scripts/launch/front/addresses.ts";
import { ConnectionCount } from "../../../scripts/launch/front/connection-count.ts";
import { readFrontOptions } from "../../../scripts/launch/front/front-options.ts";
import { hostRule } from "../../../scripts/launch/front/host-rule.ts";

describe("the variables of the front", () => {
  it.each([
    [{ TRUSTED_PROXIES: "10.0.0.0/8, proxy" }, 'TRUSTED_PROXIES has "proxy", expected addresses'],
    [{ TRUSTED_PROXIES: "10.0.0.0/33" }, 'TRUSTED_PROXIES has "10.0.0.0/33"'],
    [{ TRUSTED_PROXIES: "10.1" }, 'TRUSTED_PROXIES has "10.1"'],
    [{ ALLOWED_HOSTS: "a,https://b" }, 'ALLOWED_HOSTS has "https://b", expected host names'],
    [{ ALLOWED_HOSTS: "a.*" }, 'ALLOWED_HOSTS has "a.*"'],
    [{ MAX_CONNECTIONS: "0" }, 'MAX_CONNECTIONS is "0", expected a whole number'],
    [{ MAX_CONNECTIONS_PER_ADDRESS: "many" }, 'MAX_CONNECTIONS_PER_ADDRESS is "many", expected a whole number'],
  ])("%j is refused with its name and what is expected", (env, message) => {
    expect(() => readFrontOptions(env, "127.0.0.1")).toThrow(message);
  });

  it("have defaults, also when they are set to nothing", () => {
    const empty = { TRUSTED_PROXIES: "", ALLOWED_HOSTS: " ", MAX_CONNECTIONS: "", WEBUI_URL: "" };
    for (const env of [{}, empty]) {
      const options = readFrontOptions(env, "0.0.0.0");
      expect(options).toMatchObject({ maxConnections: 2000, maxConnectionsPerAddress: 256 });
      expect(options.isTrustedProxy("127.0.0.1")).toBe(false);
      expect(options.isAllowedHost("anything.example")).toBe(true);
    }
  });
});

it("knows addresses in all their forms", () => {
  const isIn = addressesIn(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "Loopback"]);
  expect(
    ["10.9.8.7", "::ffff:10.9.8.7", "192.0.2.7", "2001:DB8:1::5", "127.3.2.1", "::1"].filter((one) => !isIn(one)),
  ).toEqual([]);
  expect(["11.0.0.1", "192.0.2.8", "2001:db9::1", "::2", "unknown", ""].filter(isIn)).toEqual([]);
  expect(isLoopback("::ffff:127.0.0.1")).toBe(true);
  expect(["192.0.2.1:80", "[2001:DB8::1]:80", "::ffff:192.0.2.1", "192.0.2", "x"].map(canonicalAddress)).toEqual([
    "192.0.2.1",
    "2001:db8::1",
    "192.0.2.1",
    undefined,
    undefined,
  ]);
});

describe("hosts", () => {
  const own = ["localhost", "LOCALHOST:8080", "a.localhost", "127.0.0.1:80", "127.9.9.9", "[::1]:8080", hostname()];

  it("of this machine only, where the service is for this machine and nothing is set", () => {
    for (const listensOn of ["127.0.0.1", "localhost", "::1"]) {
      const rule = hostRule([], "", listensOn);
      expect(own.filter((host) => !rule(host))).toEqual([]);
      const others = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "notlocalhost", "192.0.2.1"];
      expect(others.filter(rule)).toEqual([]);
    }
  });

  it("as they are named", () => {
    const rule = hostRule(["Chat.example", "*.harbour.example", "[2001:db8::1]"], "https://parley.example:8443", "::1");
    const named = ["chat.example.", "chat.example:80", "a.b.harbour.example", "[2001:DB8:0::1]:80", "parley.example"];
    expect(named.filter((host) => !rule(host))).toEqual([]);
    expect(["harbour.example", "evilharbour.example", "chat.example.evil"].filter(rule)).toEqual([]);
    expect(hostRule(["*"], "https://parley.example", "::1")("anything")).toBe(true);
  });
});

describe("connections", () => {
  const count = (all: number, each: number) =>
    new ConnectionCount({ maxConnections: all, maxConnectionsPerAddress: each });

  it("are counted for each address, or half of an IPv6 address, as long as they last", () => {
    const connections = count(9, 1);
    const end = connections.take("2001:db8::1");
    connections.take("192.0.2.1");
    expect(connections.refusal("2001:db8::2:1")?.status).toBe(429);
    expect(connections.refusal("192.0.2.1")?.status).toBe(429);
    expect(connections.refusal("2001:db8:0:1::1")).toBeUndefined();
    expect(connections.refusal("192.0.2.2")).toBeUndefined();
    end();
    expect(connections.refusal("2001:db8::2")).toBeUndefined();
  });

  it("of shared addresses count as a whole only", () => {
    const connections = count(2, 1);
    connections.take(undefined);
    expect(connections.refusal(undefined)).toBeUndefined();
    connections.take(undefined);
    expect(connections.refusal(undefined)?.status).toBe(503);
    expect(connections.refusal("192.0.2.1")?.status).toBe(503);
  });
});
