import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { icons } from "../../src/ui/components/icons.ts";
import {
  answers,
  answerText,
  ask,
  call,
  type ChatWorld,
  chooseModel,
  composer,
  openChatWorld,
  questions,
  send,
} from "./chat-world.ts";

let world: ChatWorld;
beforeAll(async () => {
  world = await openChatWorld();
});
afterAll(() => world?.close());

const pages: Page[] = [];
async function openChat(options?: Parameters<ChatWorld["openChat"]>[0]) {
  const page = await world.openChat(options);
  pages.push(page);
  return page;
}
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

describe("an answer", () => {
  it("goes on without the tab and is whole when the person comes back", async () => {
    const page = await openChat();
    const hold = world.upstream.holdAfter(6);
    await send(page, "What is the capital of France?");
    await hold.reached;
    await answers(page).getByText("Paris").waitFor();
    await page.waitForURL(/\/c\//);
    const address = page.url();
    const context = page.context();
    await page.close();
    hold.release();
    const back = await context.newPage();
    await back.goto(address);
    await answers(back).and(back.locator('[data-state="done"]')).waitFor();
    await expect.poll(() => answers(back).innerText()).toContain(answerText);
    await expect.poll(() => questions(back).innerText()).toContain("What is the capital of France?");
    await expect.poll(() => answers(back).count()).toBe(1);
  });

  it("shows the text so far after a reload in its middle, and goes on", async () => {
    const page = await openChat();
    const hold = world.upstream.holdAfter(6);
    await send(page, "What is the capital of France?");
    await hold.reached;
    await page.waitForURL(/\/c\//);
    await answers(page).getByText("Paris").waitFor();
    await page.reload();
    await answers(page).and(page.locator('[data-state="streaming"]')).getByText("Paris").waitFor();
    hold.release();
    await answers(page).and(page.locator('[data-state="done"]')).waitFor();
    await expect.poll(async () => (await answers(page).innerText()).split("Paris")).toHaveLength(2);
  });

  it("stops when told to, keeps what had arrived, and can go on", async () => {
    const page = await openChat();
    const hold = world.upstream.holdAfter(6);
    const request = world.upstream.nextRequest();
    await send(page, "What is the capital of France?");
    await hold.reached;
    await answers(page).getByText("Paris").waitFor();
    await page.getByRole("button", { name: "Stop the answer" }).click();
    await page.getByText("You stopped this answer.").waitFor();
    await (
      await request
    ).over;
    expect((await request).aborted).toBe(true);
    await expect.poll(() => answers(page).innerText()).toContain("Paris");
    await page.getByRole("button", { name: "Continue" }).click();
    await answers(page).and(page.locator('[data-state="done"]')).waitFor();
    await expect.poll(async () => (await answers(page).innerText()).split("Paris").length).toBeGreaterThan(2);
    await expect.poll(() => answers(page).count()).toBe(1);
  });

  it("is stopped by Escape in the field", async () => {
    const page = await openChat();
    const hold = world.upstream.holdAfter(6);
    await send(page, "Hello");
    await hold.reached;
    await answers(page).getByText("Paris").waitFor();
    await composer(page).press("Escape");
    await page.getByText("You stopped this answer.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Stop the answer" }).count()).toBe(0);
  });

  it("can be asked for again, and both versions stay", async () => {
    const page = await openChat();
    await ask(page, "What is the capital of France?");
    await page.getByRole("button", { name: "Answer again" }).click();
    await page.getByText("2 / 2").waitFor();
    await answers(page).and(page.locator('[data-state="done"]')).waitFor();
    // Which version is shown is kept; a reload asks what the service knows by then.
    const kept = page.waitForResponse((answer) => answer.request().method() === "POST" && answer.ok());
    await page.getByRole("button", { name: "Previous version" }).click();
    await page.getByText("1 / 2").waitFor();
    await kept;
    await page.reload();
    await page.getByText("1 / 2").waitFor();
    await expect.poll(() => answers(page).count()).toBe(1);
  });

  it("says what went wrong, keeps the question, and can be tried again with another model", async () => {
    const page = await openChat();
    await chooseModel(page, "fault-429");
    await send(page, "Hello");
    await answers(page).and(page.locator('[data-state="error"]')).waitFor();
    await page.getByText("The answer failed.").waitFor();
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("Rate limit reached for requests");
    await chooseModel(page, "openai");
    await page.getByRole("button", { name: "Try again" }).click();
    await answers(page).and(page.locator('[data-state="done"]')).waitFor();
    await expect.poll(() => answers(page).innerText()).toContain(answerText);
    await expect.poll(() => questions(page).locator(".text").innerText()).toBe("Hello");
  });
});

describe("an answer that failed after some words", () => {
  it("keeps them, and is tried again in place of being answered again", async () => {
    const page = await openChat();
    await chooseModel(page, "fault-cut");
    await send(page, "Hello");
    const answer = answers(page).last();
    await answer.and(page.locator('[data-state="error"]')).waitFor();
    await answer.getByText("The answer failed partway.").waitFor();
    // It can be copied as it is: what else there is for its text is there.
    await answer.getByRole("button", { name: "Copy", exact: true }).waitFor();
    await expect.poll(() => answer.getByRole("button", { name: "Answer again" }).count()).toBe(0);
    await expect.poll(() => answer.getByRole("button", { name: "Continue" }).count()).toBe(1);
    await chooseModel(page, "openai");
    await answer.getByRole("button", { name: "Try again" }).click();
    await answer.and(page.locator('[data-state="done"]')).waitFor();
    await answer.getByRole("button", { name: "Answer again" }).waitFor();
  });
});

describe("the buttons of an answer", () => {
  it("each have a picture of their own, and Continue's is not that of playing something", async () => {
    const page = await openChat();
    await ask(page, "What is the capital of France?");
    const buttons = answers(page).last().locator(".actions").getByRole("button");
    await buttons.and(page.getByLabel("Good answer")).waitFor();
    const pictures = await buttons.evaluateAll((all) =>
      all.map((button) => [
        button.getAttribute("aria-label") ?? "",
        [...button.querySelectorAll("path")].map((path) => path.getAttribute("d")).join(" "),
      ]),
    );
    expect(pictures.map(([name]) => name)).toEqual(expect.arrayContaining(["Copy", "Read aloud", "Continue"]));
    expect(pictures.map(([, picture]) => picture)).not.toContain(icons.play);
    expect(new Set(pictures.map(([, picture]) => picture)).size).toBe(pictures.length);
  });
});

describe("a message", () => {
  it("is edited by Up, makes a branch of its own, and the old branch stays whole", async () => {
    const page = await openChat();
    await ask(page, "First question");
    await ask(page, "Second question");
    await composer(page).press("ArrowUp");
    const editor = page.getByRole("textbox", { name: "Edit your message" });
    await expect.poll(() => editor.inputValue()).toBe("Second question");
    await editor.fill("Second question, put better");
    await editor.press("Enter");
    await page.getByText("2 / 2").waitFor();
    await answers(page).nth(1).and(page.locator('[data-state="done"]')).waitFor();
    await expect.poll(() => questions(page).nth(1).innerText()).toContain("put better");
    await page.getByRole("button", { name: "Previous version" }).click();
    await expect.poll(() => questions(page).nth(1).locator(".text").innerText()).toBe("Second question");
    await expect.poll(() => answers(page).count()).toBe(2);
  });

  it("breaks the line with Shift and Enter and is sent with Enter", async () => {
    const page = await openChat();
    await composer(page).pressSequentially("one");
    await composer(page).press("Shift+Enter");
    await composer(page).pressSequentially("two");
    await composer(page).press("Enter");
    await answers(page).and(page.locator('[data-state="done"]')).waitFor();
    await expect.poll(() => questions(page).locator(".text").innerText()).toBe("one\ntwo");
  });

  it("is kept as a draft for each chat, over a reload and over signing out and in", async () => {
    const page = await openChat();
    const id = await ask(page, "Hello");
    await composer(page).fill("half a thought");
    await page.goto("/");
    await composer(page).waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe("");
    await composer(page).fill("a new idea");
    await page.goto(`/c/${id}`);
    await expect.poll(() => composer(page).inputValue()).toBe("half a thought");
    const person = (await call(page.context(), world.parley.url, "GET", "/api/v1/auths/")) as { email: string };
    await call(page.context(), world.parley.url, "POST", "/api/v1/auths/signout");
    await page.goto("/sign-in");
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill("correct horse");
    await page.getByRole("button", { name: "Sign in" }).click();
    await composer(page).waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe("a new idea");
  });

  it("waits for the connection and is then sent by itself, once", async () => {
    const page = await openChat();
    await page.context().setOffline(true);
    await send(page, "Written on a train");
    await page.getByText("This will be sent when").waitFor();
    const before = world.upstream.requests.filter((request) =>
      JSON.stringify(request.body ?? {}).includes("Written on a train"),
    ).length;
    expect(before).toBe(0);
    // The connection that comes back is lost again, as on a train.
    let lost = 0;
    await page.route("**/api/chat/completions", (route) =>
      lost++ < 2 ? route.abort("internetdisconnected") : route.continue(),
    );
    await page.context().setOffline(false);
    await answers(page).and(page.locator('[data-state="done"]')).waitFor();
    await expect.poll(() => questions(page).count()).toBe(1);
    await page.reload();
    await answers(page).and(page.locator('[data-state="done"]')).waitFor();
    await expect.poll(() => questions(page).count()).toBe(1);
    await expect.poll(() => composer(page).inputValue()).toBe("");
  });
});

describe("two tabs of one person", () => {
  it("show the same, message by message", async () => {
    const first = await openChat();
    const id = await ask(first, "Hello");
    const second = await first.context().newPage();
    await second.goto(`/c/${id}`);
    await answers(second).and(second.locator('[data-state="done"]')).waitFor();
    const hold = world.upstream.holdAfter(6);
    await send(first, "And again");
    await hold.reached;
    await questions(second).nth(1).getByText("And again").waitFor();
    await answers(second).nth(1).getByText("Paris").waitFor();
    await second.getByRole("button", { name: "Stop the answer" }).waitFor();
    hold.release();
    for (const page of [first, second]) await answers(page).nth(1).and(page.locator('[data-state="done"]')).waitFor();
    await expect
      .poll(() => answers(second).nth(1).locator(".markdown").innerText())
      .toBe(await answers(first).nth(1).locator(".markdown").innerText());
  });
});

describe("a restart of the service in the middle of an answer", () => {
  it("ends it as interrupted, keeps what had arrived, and the page goes on by itself", async () => {
    const page = await openChat();
    const hold = world.upstream.holdAfter(8);
    await send(page, "What is the capital of France?");
    await hold.reached;
    await answers(page).getByText("Paris").waitFor();
    await page.waitForURL(/\/c\//);
    await world.parley.kill9();
    await page.getByText("No connection to Parley").waitFor();
    await world.parley.restart();
    await page.getByText(/The answer was interrupted/).waitFor();
    hold.release();
    await page.getByRole("button", { name: "Try again" }).click();
    await answers(page).and(page.locator('[data-state="done"]')).waitFor();
    await expect.poll(() => answers(page).innerText()).toContain(answerText);
  });
});
