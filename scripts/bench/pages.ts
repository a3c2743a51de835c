import type { Page } from "playwright-core";
import { callApi, signInContext, signUpByApi } from "../../test/browser/accounts.ts";
import { chooseModel, composer, send } from "../../test/browser/chat-world.ts";
import { longHistory } from "../../test/browser/long-history.ts";
import { openBrowser, type TestBrowser } from "../../test/browser/open-browser.ts";
import { startParley } from "../../test/stack/start-parley.ts";
import { quantile } from "./measure.ts";

const person = { name: "Bench", email: "bench@example.com", password: "a long enough password" };
/** Frames a second that a screen shows. */
const perSecond = 60;

/**
 * `npm run bench -- --pages [--quick]`: what people feel of the web page in Chromium. Frames a second while 3,000 lines arrive, of text,
 * code and tables, with the last seconds by themselves; and how long a chat of 200 messages takes to open, with what moves for it.
 * The aims: 50 frames a second to the end, 300 ms, 150 KB.
 * @param upstream base address of the benchmark's provider
 */
export async function benchPages(quick: boolean, upstream: string): Promise<void> {
  const [parley, browser] = await Promise.all([
    startParley({
      env: { OPENAI_API_BASE_URLS: upstream, OPENAI_API_KEYS: "sk-bench", ENABLE_TITLE_GENERATION: "false" },
    }),
    openBrowser(),
  ]);
  try {
    const { token } = await signUpByApi(parley.url, person);
    const lines = quick ? 600 : 3000;
    for (const size of ["desktop", "phone"] as const) await streamLines(browser, parley.url, lines, size);
    const chat = { title: "Two hundred", models: ["bench-plain"], history: longHistory(200) };
    const { id } = await callApi<{ id: string }>(parley.url, token, "POST", "/api/v1/chats/new", { chat });
    await openLongChat(browser, parley.url, id, quick ? 4 : 12);
  } finally {
    await browser.close();
    await parley.stop();
  }
}

async function signedIn(browser: TestBrowser, url: string, size: "desktop" | "phone" = "desktop"): Promise<Page> {
  const page = await browser.openPage({ baseURL: url, size });
  await signInContext(page, url, person);
  await page.goto("/");
  await composer(page).waitFor();
  return page;
}

interface Frames {
  /** Milliseconds between two frames, in order. */
  gaps: number[];
}

async function streamLines(browser: TestBrowser, url: string, lines: number, size: "desktop" | "phone"): Promise<void> {
  const page = await signedIn(browser, url, size);
  page.setDefaultTimeout(180_000);
  await chooseModel(page, `bench-lines-${lines}-10`);
  await page.evaluate(() => {
    const frames: Frames = { gaps: [] };
    Object.assign(globalThis, { frames });
    let last = performance.now();
    const next = (now: number): void => {
      frames.gaps.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await send(page, "Three thousand lines, please");
  await page.locator("article.answer").first().waitFor();
  await page.evaluate(() => (globalThis as unknown as { frames: Frames }).frames.gaps.splice(0));
  await page.locator('article.answer[data-state="done"]').waitFor();
  const gaps = await page.evaluate(() => (globalThis as unknown as { frames: Frames }).frames.gaps);
  const seconds = bySecond(gaps);
  const rate = (all: number[]) => (all.length / all.reduce((sum, gap) => sum + gap, 0)) * 1000;
  const tail = gaps.slice(-5 * perSecond);
  console.log(
    `${String(lines)} lines, ${size.padEnd(7)}  frames/s ${rate(gaps).toFixed(1)}   last frames ${rate(tail).toFixed(1)}   slowest second ${Math.min(...seconds)}   longest frame ${Math.max(...gaps).toFixed(0)} ms   over ${(gaps.reduce((sum, gap) => sum + gap, 0) / 1000).toFixed(0)} s`,
  );
  if (process.env["BENCH_SECONDS"]) console.log(seconds.join(" "));
  await page.context().close();
}

/** Frames of each whole second. */
function bySecond(gaps: readonly number[]): number[] {
  const seconds: number[] = [];
  let [frames, passed] = [0, 0];
  for (const gap of gaps) {
    frames += 1;
    passed += gap;
    if (passed < 1000) continue;
    seconds.push(Math.round((frames / passed) * 1000));
    [frames, passed] = [0, 0];
  }
  return seconds;
}

/** From the press on its link until its last message stands there, as for somebody who goes from chat to chat. */
async function openLongChat(browser: TestBrowser, url: string, id: string, rounds: number): Promise<void> {
  const page = await signedIn(browser, url);
  const times: number[] = [];
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  let first = 0;
  for (let round = 0; round < rounds; round++) {
    await page.getByRole("link", { name: "New chat" }).first().click();
    await page.locator("article.answer").first().waitFor({ state: "detached" });
    bytes = 0;
    times.push(
      await page.evaluate(async (path) => {
        const link = document.querySelector<HTMLElement>(`a[href="${path}"]`)!;
        const began = performance.now();
        link.click();
        await new Promise<void>((done) => {
          const look = (): void =>
            document.querySelectorAll("article.answer").length > 0 && document.body.innerText.includes("message 199")
              ? void requestAnimationFrame(() => done())
              : void requestAnimationFrame(look);
          look();
        });
        return performance.now() - began;
      }, `/c/${id}`),
    );
    await page.waitForLoadState("networkidle");
    if (round === 0) first = bytes;
  }
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `200 messages  p50 ${quantile(sorted, 0.5).toFixed(0)} ms   max ${sorted.at(-1)!.toFixed(0)} ms   moved ${(first / 1000).toFixed(0)} KB the first time`,
  );
  await page.context().close();
}
