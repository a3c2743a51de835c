import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MediaProvider, startMediaProvider } from "../fixtures/media/media-provider.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { answers, composer, send } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";
import { takePicture } from "./take-picture.ts";

let provider: MediaProvider;
let parley: Parley;
let browser: TestBrowser;
let api: <T>(method: string, path: string, body?: object) => Promise<T>;
beforeAll(async () => {
  [provider, browser, parley] = await Promise.all([
    startMediaProvider(),
    openBrowser(),
    startParley({ env: { ENABLE_TITLE_GENERATION: "false", ENABLE_IMAGE_PROMPT_GENERATION: "false" } }),
  ]);
  provider.says = () => "It leaves at nine. Bring a coat.";
  const { token } = await signUpByApi(parley.url, ada);
  api = (method, path, body) => callApi(parley.url, token, method, path, body);
  await api("POST", "/api/v1/connections", {
    kind: "openai",
    name: "Studio",
    base_url: provider.url,
    key: "sk",
    model_ids: ["talker"],
  });
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([parley?.stop(), provider?.close()]);
});

async function open(path: string, options: PageOptions = {}): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, ada);
  // A microphone that hums, as there is none here.
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const sound = new AudioContext();
      const hum = sound.createOscillator();
      const out = sound.createMediaStreamDestination();
      hum.connect(out);
      hum.start();
      return out.stream;
    };
  });
  await page.goto(path);
  return page;
}
const pathsOf = () => provider.requests.map(({ path }) => path);

test("an administrator chooses connections and models, and tries one", async () => {
  const page = await open("/admin/media");
  await page.getByRole("switch", { name: "Pictures by models" }).click();
  await page.getByLabel("Connection for pictures").selectOption({ label: "Studio" });
  await page.getByLabel("Model for pictures").fill("paint-1");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Pictures by models: saved.").waitFor();
  await page.getByRole("button", { name: "Make a picture" }).click();
  await page.getByText(/^Made in/).waitFor();
  await page.getByRole("img", { name: /A-lighthouse/ }).waitFor();
  for (const [engine, connection] of [
    ["Dictation", "Connection for dictation"],
    ["Reading aloud", "Connection for reading aloud"],
  ] as const) {
    await page.getByLabel(engine, { exact: true }).selectOption({ label: "A connection" });
    await page.getByLabel(connection).selectOption({ label: "Studio" });
  }
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Voice: saved.").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "media-admin");
});

test("a person dictates, has the answer read aloud, and stops it, on a phone and by keyboard", async () => {
  const page = await open("/", { size: "phone", theme: "dark" });
  await page.getByRole("button", { name: "Dictate" }).press("Enter");
  await page.getByRole("group", { name: "Recording" }).getByText("0:01").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "media-dictation");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Dictate" }).click();
  await page.getByRole("group", { name: "Recording" }).getByText("0:01").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await expect.poll(() => composer(page).inputValue()).toBe("When does the last ferry leave?");
  expect(pathsOf().filter((path) => path === "/audio/transcriptions")).toHaveLength(1);
  await send(page, await composer(page).inputValue());
  const answer = answers(page).first();
  await answer.getByText("It leaves at nine. Bring a coat.").waitFor();
  await answer.and(page.locator('[data-state="done"]')).waitFor();
  await answer.getByRole("button", { name: "Read aloud" }).press("Enter");
  await answer.getByRole("button", { name: "Stop reading" }).waitFor();
  await expect.poll(() => pathsOf().filter((path) => path === "/audio/speech").length).toBe(2);
  await answer.getByRole("button", { name: "Stop reading" }).press("Enter");
  await answer.getByRole("button", { name: "Read aloud" }).waitFor();
  await takePicture(page, "media-answer");
});

test("a person's choice of voice counts, and without the permission there is nothing", async () => {
  const page = await open("/settings/voice");
  const stored = page.waitForResponse((response) => response.url().endsWith("/user/settings/update"));
  await page.getByLabel("Voice", { exact: true }).selectOption("nova");
  await stored;
  await page.getByRole("button", { name: "Listen" }).click();
  await expect.poll(() => provider.requests.at(-1)?.json).toMatchObject({ voice: "nova", speed: 1 });
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "media-voice");
  const mate = { name: "Mate", email: "mate@harbour.example", password: "a long password" };
  await api("POST", "/api/v1/auths/add", { ...mate, role: "user" });
  await api("POST", "/api/v1/users/default/permissions", { chat: { stt: false, tts: false } });
  const other = await browser.openPage({ baseURL: parley.url });
  await signInContext(other, parley.url, mate);
  await other.goto("/");
  await composer(other).waitFor();
  await expect.poll(() => other.getByRole("button", { name: "Dictate" }).count()).toBe(0);
});

test("where the browser has no voice, reading aloud says so, and what to do", async () => {
  const page = await open("/");
  await page.addInitScript(() => {
    speechSynthesis.getVoices = () => [];
    speechSynthesis.speak = (utterance) =>
      utterance.dispatchEvent(new SpeechSynthesisErrorEvent("error", { utterance, error: "synthesis-failed" }));
  });
  await pressLink(page, "/settings/voice");
  const stored = page.waitForResponse((response) => response.url().endsWith("/user/settings/update"));
  await page.getByLabel("Reading aloud", { exact: true }).selectOption({ label: "This browser" });
  await stored;
  await page.getByRole("button", { name: "Listen" }).click();
  const notice = page.locator(".toast").getByText("The answer couldn't be read aloud");
  await notice.waitFor();
  await expect
    .poll(() => notice.textContent())
    .toContain("This browser has no voice to read with. An administrator can choose");
  const restored = page.waitForResponse((response) => response.url().endsWith("/user/settings/update"));
  await page.getByLabel("Reading aloud", { exact: true }).selectOption({ label: "As the administrator set it" });
  await restored;
});

test("a picture is made for a message, can be downloaded, and is changed by the next one", async () => {
  const page = await open("/");
  await page.getByRole("button", { name: "Tools: none on" }).click();
  await page.getByRole("switch", { name: "Make pictures" }).click();
  await page.keyboard.press("Escape");
  await send(page, "A red boat");
  const answer = answers(page).first();
  await answer.getByText("Made a picture").waitFor();
  await answer.getByRole("img", { name: "A-red-boat.png" }).waitFor();
  const download = page.waitForEvent("download");
  await answer.getByRole("link", { name: "Download A-red-boat.png" }).click();
  expect((await download).suggestedFilename()).toBe("A-red-boat.png");
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "media-picture");
  await send(page, "Make it blue");
  await answers(page).nth(1).getByText("Changed the picture").waitFor();
  expect(pathsOf().filter((path) => path.startsWith("/images/"))).toContain("/images/edits");
});
