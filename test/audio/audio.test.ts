import { beforeEach, describe, expect, it } from "vitest";
import { silence } from "../fixtures/media/media-provider.ts";
import { useMediaWorld } from "../images/media-world.ts";

const here = useMediaWorld();
beforeEach(() =>
  here.set({
    AUDIO_STT_ENGINE: "openai",
    AUDIO_STT_CONNECTION: here.connection,
    AUDIO_TTS_ENGINE: "openai",
    AUDIO_TTS_CONNECTION: here.connection,
  }),
);

interface Failed {
  text: string;
  detail: string;
}
const recording = (bytes: Uint8Array<ArrayBuffer> = new Uint8Array(silence()), type = "audio/wav"): FormData => {
  const form = new FormData();
  form.set("language", "de-DE".slice(0, 2));
  form.set("file", new Blob([bytes], { type }), "recording.wav");
  return form;
};
const write = (body: BodyInit = recording(), path = "/api/v1/audio/transcriptions", as = here.ada) =>
  here.world.call<Failed>(path, { as, method: "POST", body });
const read = (json: unknown, path = "/api/v1/audio/speech", as = here.ada) => here.world.request(path, { as, json });
const permissions = (chat: object) =>
  here.world.call("/api/v1/users/default/permissions", { as: here.admin, json: { chat } });

describe("dictation", () => {
  it.each(["/api/v1/audio/transcriptions", "/api/audio/transcriptions"])("%s sends the recording on", async (path) => {
    const { status, body } = await write(recording(), path);
    expect([status, body]).toEqual([200, { text: "When does the last ferry leave?" }]);
    const [{ form, headers }] = here.provider.requests as [(typeof here.provider.requests)[number]];
    expect([form!.get("model"), form!.get("language")]).toEqual(["whisper-1", "de"]);
    const sent = form!.get("file") as File;
    expect([sent.type, sent.name, sent.size]).toEqual(["audio/wav", "recording.wav", silence().length]);
    expect(headers.authorization).toBe("Bearer sk-studio");
    expect(await here.ledger("audio")).toMatchObject([{ model: "whisper-1", state: "done" }]);
    expect((await here.world.client.execute("SELECT count(*) AS n FROM files")).rows[0]!["n"]).toBe(0);
  });

  it("ends a recording that is too large, or empty, while it arrives", async () => {
    await here.set({ AUDIO_STT_MAX_SIZE: 1 });
    const large = await write(recording(new Uint8Array(3_000_000)));
    expect([large.status, large.body.detail]).toEqual([413, "Recordings can have at most 1 MB"]);
    const empty = await write(recording(new Uint8Array()));
    expect([empty.status, empty.body.detail]).toEqual([400, "The recording is empty"]);
  });

  it("takes recordings alone, in a form with a file", async () => {
    expect((await write(recording(undefined, "text/html"))).status).toBe(415);
    expect((await write(new FormData())).status).toBe(400);
    expect((await write("no form")).status).toBe(400);
    const broken = await here.world.call("/api/v1/audio/transcriptions", {
      as: here.ada,
      method: "POST",
      body: '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\nhalf',
      headers: { "content-type": "multipart/form-data; boundary=x" },
    });
    expect(broken.status).toBe(415);
    expect(here.provider.requests).toEqual([]);
  });

  it.each([
    [400, '{"error":{"message":"Unknown format"}}', 400, /refused: Unknown format/],
    [200, "{}", 502, /without a text/],
    [500, "", 502, /failed/],
  ])("a provider's %s %s is told in words", async (status, answer, expected, words) => {
    here.provider.answer = (_, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(answer);
    };
    const failed = await write();
    expect([failed.status, failed.body.detail]).toEqual([expected, expect.stringMatching(words)]);
  });

  it("needs the permission and a connection", async () => {
    await permissions({ stt: false });
    expect((await write()).status).toBe(403);
    expect((await write(recording(), undefined, here.admin)).status).toBe(200);
    await permissions({ stt: true });
    await here.set({ AUDIO_STT_ENGINE: "" });
    expect((await write()).body.detail).toBe("Dictation by a connection is switched off");
  });
});

describe("reading aloud", () => {
  it.each(["/api/v1/audio/speech", "/api/audio/speech"])("%s hands on the sound", async (path) => {
    const answer = await read({ model: "any", input: "Ahoy", voice: "nova", speed: 1.5 }, path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "audio/wav"]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(silence())).toBe(true);
    expect(here.provider.requests[0]!.json).toEqual({
      model: "tts-1",
      input: "Ahoy",
      voice: "nova",
      speed: 1.5,
      response_format: "mp3",
    });
    expect(await here.ledger("audio")).toMatchObject([{ model: "tts-1", state: "done", user_id: here.ada.id }]);
  });

  it("uses the usual voice for one that is not offered", async () => {
    await (await read({ input: "Ahoy", voice: "somebody" })).arrayBuffer();
    expect(here.provider.requests[0]!.json).toMatchObject({ voice: "alloy" });
  });

  it("refuses what is no text, and what is no sound", async () => {
    for (const json of [{}, { input: "" }, { input: 7 }, { input: "x".repeat(4097) }, { input: "x", speed: 9 }])
      expect((await read(json)).status).toBe(422);
    here.provider.answer = (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    expect((await read({ input: "Ahoy" })).status).toBe(502);
  });

  it("needs the permission and a connection, and lists its voices", async () => {
    const voices = () => here.world.call<{ voices: { id: string }[] }>("/api/v1/audio/voices", { as: here.ada });
    expect((await voices()).body.voices.map(({ id }) => id)).toContain("alloy");
    await permissions({ tts: false });
    expect([(await read({ input: "Ahoy" })).status, (await voices()).status]).toEqual([403, 403]);
    await permissions({ tts: true });
    await here.set({ AUDIO_TTS_ENGINE: "off" });
    expect((await voices()).body.voices).toEqual([]);
    expect((await read({ input: "Ahoy" })).status).toBe(403);
  });

  it("is in the configuration that clients get", async () => {
    const audio = async () => (await here.world.call<{ audio: unknown }>("/api/config", { as: here.ada })).body.audio;
    expect(await audio()).toMatchObject({ stt: { engine: "openai" }, tts: { engine: "openai", voice: "alloy" } });
    await here.set({ AUDIO_STT_ENGINE: "off", AUDIO_TTS_ENGINE: "" });
    expect(await audio()).toMatchObject({ stt: { engine: "off" }, tts: { engine: "web" } });
  });
});

describe("settings in Open WebUI's form", () => {
  const config = (path: string, json?: unknown, as = here.admin) =>
    here.world.call<Record<string, Record<string, unknown>>>(path, json === undefined ? { as } : { as, json });

  it("are shown and changed, and empty secrets stay", async () => {
    await config("/api/v1/audio/config/update", { tts: { VOICE: "nova", OPENAI_API_KEY: "x" }, stt: {}, other: 1 });
    expect((await config("/api/v1/audio/config")).body["tts"]).toMatchObject({ VOICE: "nova", ENGINE: "openai" });
    await config("/api/v1/retrieval/config/update", { web: { TAVILY_API_KEY: "tvly", WEB_SEARCH_ENGINE: "tavily" } });
    await config("/api/v1/retrieval/config/update", { web: { TAVILY_API_KEY: "", WEB_SEARCH_RESULT_COUNT: 2 } });
    const { body } = await config("/api/v1/retrieval/config");
    expect(body["web"]).toMatchObject({ TAVILY_API_KEY: "", WEB_SEARCH_RESULT_COUNT: 2 });
    const { rows } = await here.world.client.execute("SELECT value FROM settings WHERE name = 'TAVILY_API_KEY'");
    expect(rows).toHaveLength(1);
    expect((await config("/api/v1/images/config")).body["IMAGE_GENERATION_MODEL"]).toBe("paint-1");
    expect((await config("/api/v1/images/config/update", { IMAGE_SIZE: "large" })).status).toBe(422);
    expect((await config("/api/v1/audio/config", undefined, here.ada)).status).toBe(403);
  });
});
