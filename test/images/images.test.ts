import { describe, expect, it } from "vitest";
import type { ImageList } from "../../src/images/schema.ts";
import { install } from "../chat/functions/install.ts";
import { pixel } from "../fixtures/media/media-provider.ts";
import { useMediaWorld } from "./media-world.ts";

const here = useMediaWorld();
type Failed = { detail: string; code: string };
const make = (json: unknown = { prompt: "A red boat" }, as = here.ada) =>
  here.world.call<ImageList & Failed>("/api/v1/images/generations", { as, json });
const edit = (json: object, as = here.ada) =>
  here.world.call<ImageList & Failed>("/api/v1/images/edit", { as, json: { prompt: "Make it blue", ...json } });
const files = async () => (await here.world.client.execute("SELECT count(*) AS n FROM files")).rows[0]!["n"];

describe("pictures", () => {
  it("are made by the chosen model, and become files of the caller", async () => {
    const { status, body } = await make({ prompt: "A red boat, please!", n: 2, size: "512x512" });
    expect(status).toBe(200);
    expect(body).toHaveLength(2);
    const { url, name, content_type } = body[0]!;
    expect([name, content_type]).toEqual(["A-red-boat-please.png", "image/png"]);
    const [asked] = here.provider.requests;
    expect(asked).toMatchObject({
      path: "/images/generations",
      headers: { authorization: "Bearer sk-studio" },
      json: { model: "paint-1", prompt: "A red boat, please!", n: 2, size: "512x512", response_format: "b64_json" },
    });
    expect(asked!.json).not.toHaveProperty("steps");
    const bytes = Buffer.from(await (await here.world.request(url, { as: here.ada })).arrayBuffer());
    expect(bytes.toString("base64")).toBe(pixel);
    expect((await here.world.request(url, { as: await here.world.person() })).status).toBe(404);
    expect(await here.ledger("images")).toEqual([
      { model: "paint-1", state: "done", code: null, total: 37, user_id: here.ada.id },
    ]);
  });

  it("have the size and steps of the settings, and the form that the model takes", async () => {
    await here.set({ IMAGE_GENERATION_MODEL: "gpt-image-1", IMAGE_SIZE: "auto", IMAGE_STEPS: 12 });
    await make();
    expect(here.provider.requests[0]!.json).toEqual({
      model: "gpt-image-1",
      prompt: "A red boat",
      n: 1,
      size: "auto",
      steps: 12,
    });
  });

  it("may lie at an address of the provider, but not at a private one elsewhere", async () => {
    const { origin } = new URL(here.provider.url);
    here.provider.answer = ({ path }, response) => {
      if (path === "/made.png")
        response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from(pixel, "base64"));
      else response.writeHead(200).end(JSON.stringify({ data: [{ url: `${origin}/made.png` }] }));
    };
    expect((await make()).body).toHaveLength(1);
    expect(here.provider.requests.at(-1)!.headers).not.toHaveProperty("authorization");
    here.provider.answer = (_, response) => {
      response.writeHead(200).end(JSON.stringify({ data: [{ url: "http://10.0.0.1/x.png" }] }));
    };
    const { status, body } = await make();
    expect([status, body.detail]).toEqual([502, "The provider answered with an address that could not be reached"]);
  });

  it.each<[string, number, string, number, RegExp]>([
    [
      "a refusal",
      400,
      '{"error":{"message":"Your prompt is not allowed"}}',
      400,
      /refused: Your prompt is not allowed/,
    ],
    [
      "a wrong key",
      401,
      '{"error":{"message":"Bad key sk-studio"}}',
      502,
      /rejected this connection's credentials: Bad key/,
    ],
    ["too many", 429, "{}", 429, /busy/],
    ["a failure", 500, "boom", 502, /failed/],
    ["no picture", 200, '{"data":[]}', 502, /no picture/],
    ["something else", 200, '{"data":[{"b64_json":"PHN2Zz4="}]}', 502, /not a picture/],
    ["no JSON", 200, "<html>", 502, /no picture/],
  ])("%s is told in words, without the key, and leaves nothing", async (_, said, answer, status, words) => {
    here.provider.answer = (__, response) => {
      response.writeHead(said, { "content-type": "application/json" }).end(answer);
    };
    const failed = await make();
    expect([failed.status, failed.body.detail]).toEqual([status, expect.stringMatching(words)]);
    expect(JSON.stringify(failed.body)).not.toContain("sk-studio");
    expect(await files()).toBe(0);
    expect(here.provider.requests).toHaveLength(1);
    expect(await here.ledger("images")).toMatchObject([{ state: status === 200 ? "done" : "error" }]);
  });

  it.each([
    {},
    { prompt: "" },
    { prompt: 7 },
    { prompt: "x", n: 5 },
    { prompt: "x", size: "big" },
    { prompt: "x".repeat(32_001) },
  ])("%j is refused before anybody is asked", async (json) => {
    expect((await make(json)).status).toBe(422);
    expect(here.provider.requests).toEqual([]);
  });

  it("need the permission, the switch, a connection that is there, and a quota that is left", async () => {
    const permissions = "/api/v1/users/default/permissions";
    await here.world.call(permissions, { as: here.admin, json: { features: { image_generation: false } } });
    expect((await make()).status).toBe(403);
    expect((await make(undefined, here.admin)).status).toBe(200);
    await here.world.call(permissions, { as: here.admin, json: { features: { image_generation: true } } });
    await here.set({ IMAGE_GENERATION_CONNECTION: "nobody" });
    expect((await make()).body.detail).toBe("The connection for pictures is not available");
    await here.set({ ENABLE_IMAGE_GENERATION: false });
    expect((await make()).body.detail).toBe("Pictures by models are switched off");
    await here.set({ ENABLE_IMAGE_GENERATION: true, IMAGE_GENERATION_CONNECTION: here.connection });
    await here.world.call("/api/v1/quotas", {
      as: here.admin,
      json: {
        scope: "person",
        subject_id: here.ada.id,
        model: "paint-1",
        unit: "requests",
        amount: 1,
        period: "day",
      },
    });
    expect([(await make()).status, (await make()).status]).toEqual([200, 429]);
  });

  it("have models to choose from", async () => {
    const { body } = await here.world.call<{ id: string }[]>("/api/v1/images/models", { as: here.ada });
    expect(body[0]!.id).toBe("paint-1");
  });
});

describe("changing pictures", () => {
  it("sends a file of the caller, or one in the request", async () => {
    const { url } = (await make()).body[0]!;
    const { status, body } = await edit({ image: url });
    expect([status, body.length]).toEqual([200, 1]);
    const { form } = here.provider.requests.at(-1)!;
    expect([form!.get("prompt"), form!.get("model")]).toEqual(["Make it blue", "paint-1"]);
    const sent = form!.get("image") as File;
    expect([sent.type, Buffer.from(await sent.arrayBuffer()).toString("base64")]).toEqual(["image/png", pixel]);
    await edit({ image: [url, `data:image/png;base64,${pixel}`] });
    expect(here.provider.requests.at(-1)!.form!.getAll("image[]")).toHaveLength(2);
  });

  it("knows no files of others, no other addresses, and nothing but pictures", async () => {
    const { url } = (await make()).body[0]!;
    const other = await here.world.person();
    expect((await edit({ image: url }, other)).status).toBe(404);
    expect((await edit({ image: "/api/v1/files/00000000-0000-7000-8000-000000000000/content" })).status).toBe(404);
    for (const image of ["https://a.example/x.png", "data:image/png;base64,QUJD", "data:image/png;base64,###", "", []])
      expect((await edit({ image })).status).toBe(422);
    expect(here.provider.requests.filter(({ path }) => path === "/images/edits")).toEqual([]);
  });

  it("can be switched off", async () => {
    await here.set({ ENABLE_IMAGE_EDIT: false });
    expect((await edit({ image: `data:image/png;base64,${pixel}` })).body.detail).toBe(
      "Changing pictures is switched off",
    );
  });
});

describe("a plugin", () => {
  it("has pictures made for its person, who needs the permission", async () => {
    const source = `export class Pipe { async pipe(body, __service__) {
      const ask = (name, args) => __service__.request(name, args).catch((error) => ({ error: error.message }));
      const made = await ask("image.create", { prompt: "A red boat" });
      return JSON.stringify([made, await ask("image.edit", { prompt: "Blue", image: body.messages.at(-1).content })]);
    } }`;
    await install(here.world, { id: "painter", source });
    const ask = async (content: string, as = here.ada) => {
      const json = { model: "painter", messages: [{ role: "user", content }] };
      const { body } = await here.world.call<{ choices: { message: { content: string } }[] }>("/api/chat/completions", {
        as,
        json,
      });
      return JSON.parse(body.choices[0]!.message.content) as [{ id: string; url: string }[], unknown];
    };
    const [[picture]] = await ask("nothing");
    expect((await here.world.request(picture!.url, { as: here.ada })).status).toBe(200);
    expect((await ask(picture!.url))[1]).toEqual([expect.objectContaining({ content_type: "image/png" })]);
    // Another person's picture is none of theirs, whoever's plugin it is.
    const bob = await here.world.person({ name: "Bob" });
    expect((await ask(picture!.url, bob))[1]).toEqual({ error: "No such file" });
    const off = { features: { image_generation: false } };
    await here.world.call("/api/v1/users/default/permissions", { as: here.admin, json: off });
    expect(await ask("nothing")).toEqual([{ error: expect.any(String) }, { error: expect.any(String) }]);
  });
});
