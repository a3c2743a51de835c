import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseProfileImage, profileImagePath } from "../../src/people/users/parse-profile-image.ts";
import { drawInitials } from "../../src/people/users/profile-image.ts";
import { createWorld, type Person, type World } from "../world.ts";

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const dataUrl = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

describe("a profile picture", () => {
  test.each(["", "/user.png"])("given as %j is none", (text) => {
    expect(parseProfileImage(text, "p")).toBe("");
  });

  test.each([profileImagePath("p"), `https://parley.example${profileImagePath("p")}`])(
    "given as the address where it is served (%s) stays",
    (text) => {
      expect(parseProfileImage(text, "p")).toBeUndefined();
    },
  );

  test.each([
    "http://pictures.example/a.png",
    "https://pictures.example/a b.png",
    dataUrl("image/png", png),
    dataUrl("image/jpeg", Uint8Array.from([0xff, 0xd8, 0xff, 0xe0])),
    dataUrl("image/gif", new TextEncoder().encode("GIF89a")),
    dataUrl("image/webp", new TextEncoder().encode("RIFF1234WEBP")),
  ])("may be %s", (text) => {
    expect(parseProfileImage(text, "p")).toMatch(/^(https?|data):/);
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html;base64,PGI+",
    "data:image/svg+xml;base64,PHN2Zy8+",
    "data:image/png,plain",
    dataUrl("image/png", new TextEncoder().encode("<script>")),
    dataUrl("image/gif", png),
    "data:image/png;base64,%%%",
    "ftp://pictures.example/a.png",
    "/api/v1/users/somebody-else/profile/image",
    "https://",
    dataUrl("image/png", new Uint8Array([...png, ...new Uint8Array(300_000)])),
  ])("may not be %s", (text) => {
    expect(() => parseProfileImage(text, "p")).toThrow(/profile_image_url: expected/);
  });

  test("drawn from a name is the same every time and holds letters only", () => {
    const svg = (name: string) => new TextDecoder().decode(drawInitials("id", name));
    expect(svg("Ada Lovelace")).toContain(">AL<");
    expect(svg("Ada Lovelace")).toBe(svg("Ada Lovelace"));
    expect(svg('<script>"&')).toMatch(/>S<\/text>/);
    expect(svg("李 小龙")).toContain(">李小<");
    expect(svg("!!!")).toMatch(/><\/text>/);
  });
});

describe("GET /api/v1/users/{id}/profile/image", () => {
  let world: World;
  let ada: Person;
  beforeEach(async () => {
    world = await createWorld();
    ada = await world.person();
  });
  afterEach(() => world.close());
  const get = () => world.request(profileImagePath(ada.id), { as: ada });
  const set = (profile_image_url: string) =>
    world.request("/api/v1/auths/update/profile", { json: { profile_image_url }, as: ada });

  test("draws initials where there is none", async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    expect(await response.text()).toContain(">A<");
  });

  test("serves stored bytes so that they can only be a picture", async () => {
    expect((await set(dataUrl("image/png", png))).status).toBe(200);
    const response = await get();
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox") as string,
    });
  });

  test("has a picture elsewhere handed on, and stops when it is taken away or the setting says so", async () => {
    await set("https://pictures.example/a.png");
    const response = await get();
    const handedOn = "/api/v1/images/proxy?url=https%3A%2F%2Fpictures.example%2Fa.png";
    expect([response.status, response.headers.get("location")]).toEqual([302, handedOn]);
    const admin = await world.admin();
    const mode = (OUTSIDE_PICTURES: string) =>
      world.call("/api/v1/auths/admin/config", { json: { OUTSIDE_PICTURES }, as: admin });
    await mode("link");
    expect((await get()).headers.get("content-type")).toBe("image/svg+xml");
    await mode("ask");
    await set(profileImagePath(ada.id));
    expect((await get()).status).toBe(302);
    await set("");
    expect((await get()).status).toBe(200);
  });
});
