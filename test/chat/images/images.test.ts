import { describe, expect, it } from "vitest";
import { readDescription } from "../../../src/chat/images/draw-for-turn.ts";
import type { ImageList } from "../../../src/images/schema.ts";
import { useMediaWorld } from "../../images/media-world.ts";
import { runBackgroundTurn } from "../web/background-turn.ts";

const here = useMediaWorld();
const features = { image_generation: true };
const turn = (content: string, body: object = {}) =>
  runBackgroundTurn(here.world, here.ada, { content, body: { model: "talker", features, ...body } });
const pathsOf = () => here.provider.requests.map(({ path }) => path).filter((path) => path.startsWith("/images"));
const told = () => JSON.stringify(here.provider.requests.findLast(({ path }) => path === "/chat/completions")!.json);
const statuses = (message: Record<string, unknown>) =>
  (message["statusHistory"] as { description: string }[]).map(({ description }) => description);

describe("a turn with pictures switched on", () => {
  it("makes one, shows it with the answer, and tells the model", async () => {
    const { message, chatId } = await turn("Draw a red boat");
    expect(pathsOf()).toEqual(["/images/generations"]);
    expect(message["files"]).toMatchObject([{ type: "image", name: "Draw-a-red-boat.png", content_type: "image/png" }]);
    expect(statuses(message)).toEqual(["Making a picture", "Made a picture"]);
    expect(told()).toContain("The picture that the person wants has been made");
    // The picture goes with the chat.
    const { rows } = await here.world.client.execute("SELECT chat_id FROM files");
    expect(rows.map((row) => row["chat_id"])).toEqual([chatId]);
  });

  it("changes the picture that is there in the next turn", async () => {
    const first = await turn("Draw a red boat");
    const next = await turn("Make it blue", { chat_id: first.chatId, parent_id: first.end ? undefined : null });
    expect(pathsOf()).toEqual(["/images/generations", "/images/edits"]);
    expect(statuses(next.message).at(-1)).toBe("Changed the picture");
  });

  it("uses a model's description, which says whether a picture is changed", async () => {
    await here.set({ ENABLE_IMAGE_PROMPT_GENERATION: true });
    here.provider.says = (prompt) =>
      prompt.includes("Reply with JSON alone") ? 'Sure: {"prompt": "A blue boat in fog", "edit": false}' : "There.";
    await turn("Draw a boat");
    const asked = here.provider.requests.find(({ path }) => path === "/images/generations")!;
    expect(asked.json).toMatchObject({ prompt: "A blue boat in fog" });
  });

  it("goes on without a picture where that fails, and says why to the person and the model", async () => {
    here.provider.answer = (_, response) => {
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"Not allowed"}}');
    };
    const { message, end } = await turn("Draw a red boat");
    expect(end.state).toBe("done");
    expect(statuses(message).at(-1)).toBe("No picture was made: The provider refused: Not allowed");
    expect(told()).toContain("do not pretend that there is a picture");
    expect(message["files"]).toBeUndefined();
  });

  it("says so where the person may not, and asks nobody", async () => {
    const permissions = "/api/v1/users/default/permissions";
    await here.world.call(permissions, { as: here.admin, json: { features: { image_generation: false } } });
    const { message } = await turn("Draw a red boat");
    expect(statuses(message)).toEqual(["Pictures are not available to you or with this model"]);
    expect(pathsOf()).toEqual([]);
  });

  it("makes none where it is not asked for", async () => {
    await turn("Draw a red boat", { features: {} });
    expect(pathsOf()).toEqual([]);
  });
});

describe("a call of the API", () => {
  const call = (body: object) =>
    here.world.call<{ images?: ImageList }>("/api/chat/completions", {
      as: here.ada,
      json: { model: "talker", messages: [{ role: "user", content: "A boat" }], features, ...body },
    });

  it("answers with the pictures beside the choices, also in a stream", async () => {
    expect((await call({})).body.images).toMatchObject([{ content_type: "image/png" }]);
    const stream = (await call({ stream: true })).body as unknown as string;
    expect(stream).toMatch(/"images":\[\{"url":"\/api\/v1\/files\//);
  });

  it("gives tools to a model that calls them", async () => {
    await call({ params: { function_calling: "native" } });
    expect(told()).toMatch(/generate_image.*edit_image/);
    expect(pathsOf()).toEqual([]);
  });
});

it("a description is read from what a model says around it", () => {
  expect(readDescription('```json\n{"prompt": " A ", "edit": true}\n```', true)).toEqual({ prompt: "A", edits: true });
  expect(readDescription('{"prompt": "A", "edit": true}', false)).toEqual({ prompt: "A", edits: false });
  for (const bad of ["", "A boat", "{", '{"prompt": ""}', '{"prompt": 7}', "}{"])
    expect(readDescription(bad, true)).toBeUndefined();
});
