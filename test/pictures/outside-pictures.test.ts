import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGuardedFetch } from "../../src/http/guarded-fetch.ts";
import { outsidePictureLimits } from "../../src/pictures/fetch-outside-picture.ts";
import { proxiedPicture } from "../../src/shared/outside-pictures.ts";
import { createWorld, type Person, type World } from "../world.ts";

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Uint8Array(20)]);
const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

let world: World;
let ada: Person;
/** What other sites were asked, and what they answer. */
let asked: Request[];
let sites: Record<string, (request: Request) => Response | Promise<Response>>;
beforeEach(async () => {
  asked = [];
  sites = {};
  const outside = async (input: RequestInfo | URL) => {
    const request = new Request(input);
    asked.push(request);
    const answer = sites[request.url]?.(request);
    if (!answer) throw new TypeError("fetch failed");
    return answer;
  };
  world = await createWorld({
    services: { outbound: { trusted: fetch, guarded: createGuardedFetch(outside, outside, []) } },
  });
  ada = await world.person();
});
afterEach(() => world.close());

const get = (address: string, headers: Record<string, string> = {}) =>
  world.request(proxiedPicture(address), { cookie: ada, headers });
const set = (OUTSIDE_PICTURES: string) =>
  world.admin().then((as) => world.call("/api/v1/auths/admin/config", { json: { OUTSIDE_PICTURES }, as }));
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];

describe("a picture of another site", () => {
  const address = "https://pictures.example/quay.png?id=7";

  test("arrives with headers of its own; the site learns nothing of the reader", async () => {
    sites[address] = () =>
      new Response(png, {
        headers: { "content-type": "text/html", "set-cookie": "a=b", "cache-control": "public", "x-site": "1" },
      });
    const response = await get(`${address}#part`, {
      referer: "http://parley.test/c/secret",
      "user-agent": "Browser of Ada",
      "x-forwarded-for": "203.0.113.9",
      "accept-language": "de",
    });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(png);
    const { "x-request-id": requestId, ...headers } = Object.fromEntries(response.headers);
    expect(requestId).toBeTruthy();
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "content-disposition": "inline",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, max-age=3600",
    });
    expect(headers).not.toHaveProperty("set-cookie");
    expect(headers).not.toHaveProperty("x-site");
    expect(asked.map(({ url }) => url)).toEqual([address]);
    expect(Object.fromEntries(asked[0]!.headers)).toEqual({
      accept: "image/avif,image/webp,image/png,image/jpeg,image/gif",
      "user-agent": "Parley",
    });
  });

  test.each([
    ["image/jpeg", "\xff\xd8\xff\xe0 0123456789abcdef"],
    ["image/gif", "GIF89a 0123456789abcdef"],
    ["image/gif", "GIF87a"],
    ["image/webp", "RIFF1234WEBP 0123456789"],
    ["image/avif", "\0\0\0\x20ftypavif 0123456789"],
  ])("is %s by its bytes, in whatever pieces they come", async (type, text) => {
    sites[address] = () => {
      const letters = [...text];
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        const next = letters.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(bytesOf(next));
      };
      return new Response(new ReadableStream({ pull }));
    };
    const response = await get(address);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytesOf(text));
  });

  test.each([
    ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ["a page", "<!doctype html><script>alert(1)</script>"],
    ["a sound", "RIFF1234WAVE 0123456789"],
    ["a film", "\0\0\0\x20ftypisom 0123456789"],
    ["nothing", ""],
  ])("is not handed on when it is %s", async (_, text) => {
    sites[address] = () => new Response(bytesOf(text), { headers: { "content-type": "image/png" } });
    expect(await codeOf(await get(address))).toEqual([502, "upstream_invalid_answer"]);
  });

  test("is refused when it says that it is too large, and breaks off when it only is", async () => {
    const length = String(outsidePictureLimits.maxBytes + 1);
    sites[address] = () => new Response(png, { headers: { "content-length": length } });
    expect(await codeOf(await get(address))).toEqual([502, "upstream_invalid_answer"]);
    let sent = 0;
    let stopped = false;
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(png),
      pull(controller) {
        sent += 100_000;
        controller.enqueue(new Uint8Array(100_000));
      },
      cancel: () => void (stopped = true),
    });
    sites[address] = () => new Response(endless);
    const response = await get(address);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(stopped).toBe(true);
    expect(sent).toBeLessThan(outsidePictureLimits.maxBytes + 500_000);
  });

  test("is asked for as it is read: nobody who stops reading makes the service fetch it all", async () => {
    let sent = 0;
    const long = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(png),
      pull(controller) {
        sent += 100_000;
        controller.enqueue(new Uint8Array(100_000));
      },
    });
    sites[address] = () => new Response(long);
    const reader = (await get(address)).body!.getReader();
    await reader.read();
    expect(sent).toBeLessThan(500_000);
    await reader.cancel();
  });

  test("that is not there, or whose site does not answer, is a clear error", async () => {
    sites[address] = () => new Response("gone", { status: 404 });
    expect(await codeOf(await get(address))).toEqual([502, "upstream_unreachable"]);
    delete sites[address];
    expect(await codeOf(await get(address))).toEqual([502, "upstream_unreachable"]);
  });

  test.each([
    "http://127.0.0.1/a.png",
    "http://[::1]/a.png",
    "http://2130706433/a.png",
    "http://169.254.169.254/latest/meta-data",
    "http://router.local/a.png",
    "http://localhost:8080/api/config",
  ])("may not lie at %s, not after a redirect either", async (inside) => {
    expect(await codeOf(await get(inside))).toEqual([403, "address_not_allowed"]);
    sites[address] = () => new Response(null, { status: 302, headers: { location: inside } });
    expect(await codeOf(await get(address))).toEqual([403, "address_not_allowed"]);
    expect(asked.map(({ url }) => url)).toEqual([address]);
  });

  test.each(["", "quay.png", "/favicon.svg", "javascript:alert(1)", "data:image/png;base64,AAAA", "ftp://a.example/b"])(
    "has an http(s) address, not %j",
    async (wrong) => {
      expect((await get(wrong)).status).toBe(422);
      expect(asked).toEqual([]);
    },
  );

  test("has no password in its address, which would be sent", async () => {
    expect(await codeOf(await get("https://ada:secret@pictures.example/a.png"))).toEqual([422, "validation_failed"]);
    expect(asked).toEqual([]);
  });

  test("is fetched for approved people only, and for nobody where the setting says so", async () => {
    const pending = await world.person({ role: "pending" });
    expect((await world.request(proxiedPicture(address))).status).toBe(401);
    expect((await world.request(proxiedPicture(address), { cookie: pending })).status).toBe(403);
    expect((await set("link")).status).toBe(200);
    expect(await codeOf(await get(address))).toEqual([403, "forbidden"]);
    expect(asked).toEqual([]);
  });

  test("after many others has to wait; other people do not", async () => {
    sites[address] = () => new Response(png);
    const many = await Promise.all(Array.from({ length: 130 }, () => get(address)));
    const statuses = many.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(120);
    const refused = many.find(({ status }) => status === 429);
    expect(refused?.headers.get("retry-after")).toBe("1");
    const other = await world.person();
    expect((await world.request(proxiedPicture(address), { cookie: other })).status).toBe(200);
  });
});

test("what the page needs to know is in the configuration of approved people", async () => {
  const modeOf = async (as?: Person) =>
    (await world.call("/api/config", as ? { as } : {})).body["outside_pictures"] as unknown;
  expect(await modeOf(ada)).toBe("ask");
  expect(await modeOf()).toBeUndefined();
  await set("show");
  expect(await modeOf(ada)).toBe("show");
  expect((await set("everything")).status).toBe(422);
});
