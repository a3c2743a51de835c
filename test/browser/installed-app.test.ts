import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, call, type ChatWorld, composer, openSharedChatWorld, send, signUp } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { takePicture } from "./take-picture.ts";

let world: ChatWorld;
beforeAll(async () => {
  world = await openSharedChatWorld();
});
afterAll(() => world?.close());

/** A page whose service worker is in charge. */
async function openApp(path = "/"): Promise<Page> {
  const page = await world.browser.openPage({ baseURL: world.parley.url, serviceWorker: true });
  await signUp(page.context(), world.parley.url);
  await page.goto(path);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return page;
}

test("the app can be installed: its manifest, pictures and worker are there, and it keeps no answers", async () => {
  const page = await openApp();
  await ask(page, "What is the capital of France?");
  const href = (await page.locator('link[rel="manifest"]').getAttribute("href"))!;
  const response = await page.request.get(href);
  expect(response.headers()["content-type"]).toMatch(/json/);
  const manifest = (await response.json()) as { icons: { src: string; type: string }[]; start_url: string };
  expect(manifest).toMatchObject({ display: "standalone", start_url: "./", share_target: { action: "./share" } });
  for (const { src, type } of manifest.icons) {
    const icon = await page.request.get(new URL(src, new URL(href, world.parley.url)).href);
    expect(icon.headers()["content-type"]).toContain(type);
    expect((await icon.body()).length).toBeGreaterThan(100);
  }
  const kept = await page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toEqual(["/offline.html"]);
  await page.context().close();
});

test("without a connection there is a page that says so, and everything is there again afterwards", async () => {
  const page = await openApp();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole("heading", { name: "No connection" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "offline");
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await composer(page).waitFor();
  await page.context().close();
});

test("what another app shares waits in the field; files are attached only when the person wants it", async () => {
  const page = await openApp();
  await page.evaluate(() => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", enctype: "multipart/form-data", action: "/share" });
    for (const [name, value] of [
      ["title", "Tides"],
      ["text", "High water at noon"],
    ] as const) {
      const field = document.createElement("input");
      Object.assign(field, { name, value });
      form.append(field);
    }
    const files = document.createElement("input");
    Object.assign(files, { type: "file", name: "files" });
    const transfer = new DataTransfer();
    transfer.items.add(new File(["noon"], "tides ü.txt", { type: "text/plain" }));
    files.files = transfer.files;
    form.append(files);
    document.body.append(form);
    form.submit();
  });
  await expect.poll(() => composer(page).inputValue()).toBe("Tides\n\nHigh water at noon");
  await page.waitForURL((url) => url.search === "");
  await expect.poll(() => page.getByText("tides ü.txt").count()).toBe(0);
  await takePicture(page, "shared");
  await page.getByRole("button", { name: "Attach", exact: true }).click();
  await page.getByText("tides ü.txt").first().waitFor();
  expect(await page.evaluate(() => caches.has("parley-shared"))).toBe(false);
  await page.context().close();
});

test("the icon of the installed app counts what is unread, as the title of the page does", async () => {
  const page = await world.browser.openPage({ baseURL: world.parley.url });
  await signUp(page.context(), world.parley.url);
  await page.addInitScript(() => {
    const counts: number[] = [];
    Object.assign(globalThis, { counts });
    Object.assign(Navigator.prototype, { setAppBadge: async (count: number) => void counts.push(count) });
  });
  await page.goto("/");
  await composer(page).waitFor();
  const badge = () => page.evaluate(() => (globalThis as unknown as { counts: number[] }).counts.at(-1));
  await expect.poll(() => badge()).toBe(0);
  const own = (await call(page.context(), world.parley.url, "GET", "/api/v1/auths/")) as { id: string };
  const mate = await world.browser.openPage({ baseURL: world.parley.url });
  await signUp(mate.context(), world.parley.url);
  const write = (path: string, data: object) => call(mate.context(), world.parley.url, "POST", path, data);
  const { id } = (await write("/api/v1/channels/create", { name: "", type: "dm", user_ids: [own.id] })) as {
    id: string;
  };
  await write(`/api/v1/channels/${id}/messages/post`, { content: "Are you there?" });
  await expect.poll(badge).toBe(1);
  await expect.poll(() => page.title()).toMatch(/^● /);
  // What is read is not counted any more.
  await page.goto(`/channels/${id}`);
  await page.getByText("Are you there?").first().waitFor();
  await expect.poll(badge).toBe(0);
  await expect.poll(() => page.title()).not.toContain("●");
  await Promise.all([page.context().close(), mate.context().close()]);
});

test("a finished answer is told in a notification where the person wants that, and does not look", async () => {
  const page = await world.browser.openPage({ baseURL: world.parley.url, serviceWorker: true });
  await signUp(page.context(), world.parley.url);
  // A browser without a window shows no notifications and asks nobody.
  await page.addInitScript(() => {
    const asked = { count: 0 };
    Object.assign(globalThis, { asked });
    Object.defineProperty(Notification, "permission", { get: () => sessionStorage.getItem("allowed") ?? "default" });
    Notification.requestPermission = () => {
      asked.count += 1;
      sessionStorage.setItem("allowed", "granted");
      return Promise.resolve("granted" as const);
    };
  });
  await page.goto("/settings/device");
  const answersSwitch = page.getByRole("switch", { name: "Finished answers" });
  await answersSwitch.waitFor();
  const asked = () => page.evaluate(() => (globalThis as unknown as { asked: { count: number } }).asked.count);
  expect(await asked()).toBe(0);
  await expect.poll(() => answersSwitch.isChecked()).toBe(false);
  await answersSwitch.check();
  expect(await asked()).toBe(1);
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "device");
  await page.goto("/");
  await composer(page).waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.evaluate(() => {
    Object.assign(globalThis, { told: [] });
    ServiceWorker.prototype.postMessage = (data: unknown) =>
      void (globalThis as unknown as { told: unknown[] }).told.push(data);
  });
  const told = () => page.evaluate(() => (globalThis as unknown as { told: unknown[] }).told);
  // Whoever looks needs no notification.
  await ask(page, "And of Spain?");
  expect(await told()).toEqual([]);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
    document.hasFocus = () => false;
  });
  await send(page, "What is the capital of France?");
  await expect.poll(told).toMatchObject([
    {
      type: "notify",
      body: expect.stringContaining("Paris is the capital of France"),
      path: expect.stringMatching(/^\.\/c\//),
    },
  ]);
  await page.context().close();
});
