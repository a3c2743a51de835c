import { mkdirSync } from "node:fs";
import path from "node:path";
import { signInContext, signUpByApi, callApi } from "../test/browser/accounts.ts";
import { answers, composer, send } from "../test/browser/chat-world.ts";
import { openBrowser } from "../test/browser/open-browser.ts";
import { startScriptedUpstream } from "../test/fixtures/upstreams/scripted-upstream.ts";
import { startParley } from "../test/stack/start-parley.ts";
import { projectRoot } from "./launch/project-root.ts";

/** npm run screenshot: takes the picture of the README again, from a service of its own with a scripted model. */
const picture = path.join(projectRoot, "docs/images/chat.png");
const ada = { name: "Ada Lindqvist", email: "ada@harbour.example", password: "correct horse battery staple" };
const handbook = `# Ferries
The ferry to the island leaves every hour from 6:40. On Sundays the last ferry leaves at 21:40.

# Tides
High water is at seven in the morning and half past seven in the evening.

# Tickets
A ticket costs 4 euros. Children travel free of charge. Bicycles cost 2 euros.`;
const question = "When does the last ferry leave on Sundays, and what does it cost with a bicycle?";
/** Cites the passages by the numbers that the model is given them under. */
const answerWith = (numberOf: (words: string) => string): string =>
  `The last ferry on Sundays leaves at **21:40**.[${numberOf("21:40")}] With a bicycle you pay **6 euros**:[${numberOf("4 euros")}]

| | price |
|---|---:|
| Ticket | 4 € |
| Bicycle | 2 € |
| Children | free |

Be there a few minutes early: the next ferry leaves on Monday at 6:40.`;

const [parley, browser, upstream] = await Promise.all([
  startParley(),
  openBrowser(),
  startScriptedUpstream({
    "harbour-model": ({ messages }) => {
      const sources = JSON.stringify(messages).split("<source ").slice(1);
      const numberOf = (words: string) =>
        /id=\\?"(\d+)/.exec(sources.find((source) => source.includes(words)) ?? "")?.[1] ?? "";
      return { content: answerWith(numberOf) };
    },
  }),
]);
try {
  const { token } = await signUpByApi(parley.url, ada);
  const api = <T>(method: string, address: string, body?: object) =>
    callApi<T>(parley.url, token, method, address, body);
  await api("POST", "/api/v1/connections", { kind: "openai", name: "Harbour", base_url: upstream.url });
  await api("POST", "/api/v1/auths/admin/config", { ENABLE_TITLE_GENERATION: false });
  for (const title of ["Timetable for July", "Letter to the harbour office", "Spare parts for the winch"])
    await api("POST", "/api/v1/chats/new", { chat: { title, models: ["harbour-model"] } });

  const page = await browser.openPage({ baseURL: parley.url });
  await signInContext(page, parley.url, ada);
  await page.goto("/");
  await composer(page).waitFor();
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: "handbook.md", mimeType: "text/markdown", buffer: Buffer.from(handbook) });
  await page.locator('[data-attachment="handbook.md"][data-status="completed"]').waitFor({ timeout: 30_000 });
  await send(page, question);
  await answers(page).and(page.locator('[data-state="done"]')).waitFor({ timeout: 30_000 });
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  mkdirSync(path.dirname(picture), { recursive: true });
  await page.screenshot({ path: picture });
  console.log(`Wrote ${path.relative(projectRoot, picture)}`);
} finally {
  await browser.close();
  await Promise.all([parley.stop(), upstream.close()]);
}
