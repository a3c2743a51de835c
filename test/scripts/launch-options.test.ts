import { describe, expect, test } from "vitest";
import { formatAddress, readLaunchOptions, reachableHost } from "../../scripts/launch/launch-options.ts";

const read = (env: Record<string, string>, args: string[] = []) => readLaunchOptions(env, args, "/checkout");

describe("the launcher's variables", () => {
  test("have defaults, also when they are set to nothing", () => {
    const expected = { host: "127.0.0.1", port: 8080, dataDir: "/checkout/.data", dev: false };
    expect(read({})).toMatchObject(expected);
    expect(read({ PORT: "", HOST: " ", DATA: "" })).toMatchObject(expected);
  });

  test("are taken as given, a relative DATA from the checkout", () => {
    expect(read({ PORT: " 9000 ", HOST: "0.0.0.0", DATA: "two" }, ["--dev"])).toMatchObject({
      host: "0.0.0.0",
      port: 9000,
      dataDir: "/checkout/two",
      dev: true,
    });
    expect(read({ DATA: "/var/lib/parley", HOST: "[::1]" })).toMatchObject({ dataDir: "/var/lib/parley", host: "::1" });
  });

  test.each(["80a", "-1", "65536", "8080.5", "0x50", "1e3"])(
    "PORT=%s is refused with its name and what is expected",
    (port) => {
      expect(() => read({ PORT: port })).toThrow(`PORT is "${port}", expected a whole number from 0 to 65535`);
    },
  );

  test.each(["http://localhost", "a b", "127.0.0.1:80", "[::1"])(
    "HOST=%s is refused with its name and what is expected",
    (host) => {
      expect(() => read({ HOST: host })).toThrow(`HOST is "${host}", expected a host name or an address`);
    },
  );

  test("all that are wrong are named at once, a line for each", () => {
    const env = {
      PORT: "x",
      HOST: "a b",
      MAX_CONNECTIONS: "0",
      TRUSTED_PROXIES: "moon",
      PARLEY_SECRET_KEYS: "{",
      NODE_EXTRA_CA_CERTS: "/nowhere",
    };
    const names = Object.keys(env).map((name) => expect.stringMatching(`^${name} `) as string);
    let said: string[] = [];
    try {
      read(env);
    } catch (error) {
      said = (error as Error).message.split("\n");
    }
    expect(said).toHaveLength(names.length);
    expect(said).toEqual(expect.arrayContaining(names));
  });

  test("an unknown argument is refused", () => {
    expect(() => read({}, ["--port=3"])).toThrow("Unknown argument --port=3");
  });

  test("addresses of version 6 are written in brackets and a wildcard is reached at home", () => {
    expect(formatAddress("::1", 80)).toBe("[::1]:80");
    expect(formatAddress("localhost", 80)).toBe("localhost:80");
    expect([reachableHost("0.0.0.0"), reachableHost("::"), reachableHost("10.0.0.1")]).toEqual([
      "127.0.0.1",
      "::1",
      "10.0.0.1",
    ]);
  });
});
