import type { Page } from "playwright-core";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

/** A service in which something stands on every page, and addresses of things that have a page of their own. */
export interface FurnishedWorld {
  parley: Parley;
  browser: TestBrowser;
  api: <T>(method: string, path: string, body?: object) => Promise<T>;
  /** Addresses with ids in place of the parameters of their routes, by the path of the route. */
  addresses: Record<string, string[]>;
  /** A page of the administrator. */
  open: (path: string, options?: PageOptions) => Promise<Page>;
  close: () => Promise<void>;
}

const bo: Account = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };
const everyone = [{ principal_type: "user", principal_id: "*", permission: "read" }];

/** What models write: everything that answers can hold. */
const answer = `# Ferries

At **21:40**[1], says the *timetable*.[^1] ~~Not at 22:00.~~ See [the harbour](https://harbour.example/).

## Fares

| Day | Time | Fare |
|---|---|---:|
| Sunday | 21:40 | 4 € |
| A day with a rather long name that does not break | 23:15 | 12.50 € |

- [x] booked
- [ ] paid

> Be there early.

1. Walk to the quay
   - the northern one
2. Wait

\`\`\`js
// the fare of a group
const fare = (people) => people * 4; /* euros */
export const price = { "group": fare(12), pattern: /a+b/g, isOpen: true };
\`\`\`

\`\`\`python
def fare(people: int) -> float:
    """In euros."""
    return 4.0 * people
\`\`\`

\`\`\`diff
- ferry at 22:00
+ ferry at 21:40
\`\`\`

\`\`\`mermaid
flowchart LR
  quay --> ferry --> island
\`\`\`

Inline $a^2 + b^2$ and display:

$$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$

<details><summary>More</summary>Press <kbd>Ctrl</kbd> and <mark>wait</mark>.</details>

![A picture](https://pictures.example/quay.png)

[^1]: Of July, with \`code\`.
`;

const history = {
  currentId: "m2",
  messages: {
    m1: {
      id: "m1",
      parentId: null,
      childrenIds: ["m2"],
      role: "user",
      content: "When does the ferry leave, and what does it cost?",
      timestamp: 1,
    },
    m2: {
      id: "m2",
      parentId: "m1",
      childrenIds: [],
      role: "assistant",
      model: "openai",
      done: true,
      timestamp: 2,
      content: answer,
      statusHistory: [{ action: "web_search", description: "Searched the timetable", done: true }],
      followUps: ["And on Mondays?"],
      sources: [
        {
          source: { name: "timetable.md" },
          document: ["The last ferry leaves at 21:40."],
          metadata: [{ number: 1, name: "timetable.md" }],
        },
        {
          source: { name: "https://harbour.example/fares", url: "https://harbour.example/fares" },
          document: ["A ticket costs 4 euros."],
          metadata: [{ number: 2, name: "Fares", source: "https://harbour.example/fares" }],
        },
      ],
    },
  },
};

const filter = `"""
title: Tone
description: Says how the house speaks
"""
from pydantic import BaseModel, Field


class Filter:
    class Valves(BaseModel):
        tone: str = Field(default="plain", description="How answers sound")
        limit: int = 3

    class UserValves(BaseModel):
        signature: str = Field(default="", description="What stands at the end")

    def inlet(self, body: dict) -> dict:
        return body
`;

const tool = `"""
title: Tides
"""
class Tools:
    class Valves(__import__("pydantic").BaseModel):
        place: str = "Skagen"

    def next_tide(self, place: str) -> str:
        """
        When the next high water is
        :param place: where
        """
        return "19:30"
`;

/** Starts the service, with an administrator, and puts things on its pages. */
export async function openFurnishedWorld(): Promise<FurnishedWorld> {
  const [parley, browser, upstream]: [Parley, TestBrowser, ReplayServer] = await Promise.all([
    startParley({ env: { ENABLE_API_KEYS: "true", JWT_EXPIRES_IN: "2w", ENABLE_DIRECT_CONNECTIONS: "true" } }),
    openBrowser(),
    startReplayServer({ fixtures: ["openai", "mistral"] }),
  ]);
  const { id: adaId, token } = await signUpByApi(parley.url, ada);
  const api = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);
  const make = async (path: string, body: object): Promise<string> =>
    (await api<{ id: string }>("POST", path, body)).id;

  // Her session on another device.
  await api("POST", "/api/v1/auths/signin", { email: ada.email, password: ada.password });
  const organization = await make("/api/v1/organizations", { name: "North pier" });
  const { id: boId } = await api<{ id: string }>("POST", "/api/v1/auths/add", { ...bo, role: "user" });
  await signUpByApi(parley.url, { ...bo, name: "Cy Waiting", email: "cy@harbour.example" });
  const group = await make("/api/v1/groups/create", { name: "Pilots", description: "Who bring ships in" });
  await api("POST", `/api/v1/groups/id/${group}/users/add`, { user_ids: [boId] });
  const serviceAccount = await make("/api/v1/users/service_accounts", { name: "Crane" });
  await api("POST", `/api/v1/users/${serviceAccount}/api_keys`, { name: "Lifts" });
  await api("POST", "/api/v1/invitations", { email: "eve@harbour.example", group_ids: [group] });

  const connection = await make("/api/v1/connections", { name: "Harbour", base_url: upstream.url, tags: ["fast"] });
  // Nothing listens there: a connection in trouble looks different.
  await make("/api/v1/connections", { name: "Old gateway", base_url: "http://127.0.0.1:9/v1" });
  await make("/api/v1/models/create", {
    id: "harbour-desk",
    base_model_id: "openai",
    name: "Harbour desk",
    meta: { description: "Berths and fees", suggestion_prompts: [{ title: ["Tides", "of today"], content: "Tides?" }] },
    params: { system: "Be brief." },
    access_grants: everyone,
  });
  await make("/api/v1/users/user/connections", {
    name: "My own",
    base_url: "https://models.example/v1",
    key: "sk-own",
  });
  const quota = { unit: "tokens", period: "day", amount: 100_000 };
  await make("/api/v1/quotas", { ...quota, scope: "everyone" });
  await make("/api/v1/quotas", { ...quota, scope: "person", subject_id: boId, unit: "requests" });

  const folder = await make("/api/v1/folders", { name: "Summer" });
  const chat = { title: "Ferry times and fares", models: ["openai"], history };
  const chatId = await make("/api/v1/chats/new", { chat });
  await make("/api/v1/chats/new", { chat: { ...chat, title: "In a folder" }, folder_id: folder });
  await api("POST", `/api/v1/chats/${chatId}/tags`, { name: "ferry" });
  await api("POST", "/api/v1/evaluations/feedback", {
    type: "rating",
    data: { rating: -1, model_id: "openai", reason: "not_correct", comment: "It left at 21:30." },
    meta: { chat_id: chatId, message_id: "m2", share_chat: true },
    snapshot: { chat: { title: "Ferry times", history } },
  });
  await make("/api/v1/evaluations/feedback", { type: "rating", data: { rating: 1, model_id: "mistral" } });
  const share = await api<{ share_id?: string }>("POST", `/api/v1/chats/${chatId}/share`, {});

  const knowledge = await make("/api/v1/knowledge/create", { name: "Berths", description: "Who lies where" });
  const form = new FormData();
  form.set("file", new Blob(["# Berths\nA berth costs 12 crowns."], { type: "text/markdown" }), "berths.md");
  const uploaded = await fetch(`${parley.url}/api/v1/files/?process_in_background=false`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const { id: file } = (await uploaded.json()) as { id: string };
  await api("POST", `/api/v1/knowledge/${knowledge}/file/add`, { file_id: file });
  const prompt = await make("/api/v1/prompts/create", {
    command: "tides",
    name: "Tides of a day",
    content: 'When is high water on {{day}} in {{place | select:options=["Skagen","Hirtshals"]}}?',
  });
  await api("POST", "/api/v1/memories/add", { content: "Sails on Sundays" });

  const channel = await make("/api/v1/channels/create", { name: "quay", is_private: false });
  const post = { content: `Hello :ferry:\n\n${answer.slice(0, 400)}` };
  const said = await make(`/api/v1/channels/${channel}/messages/post`, post);
  await api("POST", `/api/v1/channels/${channel}/messages/${said}/reactions/add`, { name: "❤️" });
  await make(`/api/v1/channels/${channel}/messages/post`, { content: "In a thread", parent_id: said });

  await api("POST", "/api/v1/functions/create", { id: "tone", name: "Tone", content: filter, meta: {} });
  await api("POST", "/api/v1/functions/id/tone/toggle");
  await api("POST", "/api/v1/tools/create", { id: "tides", name: "Tides", content: tool, meta: {} });
  const server = { kind: "mcp", url: "http://127.0.0.1:9/mcp", name: "Calendar", auth_type: "oauth" };
  const toolServer = await make("/api/v1/tool-servers", { ...server, access_grants: everyone });

  await api("POST", "/api/v1/auths/api_key", { name: "Backup script" });
  await api("PUT", "/api/v1/webhooks/service", { url: "https://hooks.example/parley" });
  await api("PUT", "/api/v1/webhooks/own", { url: "https://hooks.example/ada" });
  await api("POST", "/api/v1/configs/banners", {
    banners: [
      { id: "b1", type: "warning", title: "Storm", content: "No **ferries** today.", dismissible: true, timestamp: 1 },
    ],
  });
  const importId = await make("/api/v1/imports", { source: "open-webui", fingerprint: "harbour", name: "webui.db" });
  await api("POST", "/api/v1/legal-holds", { kind: "person", target_id: boId, reason: "A case" });

  return {
    parley,
    browser,
    api,
    addresses: {
      "/": ["/"],
      "/c/:id": [`/c/${chatId}`],
      "/s/:id": [`/s/${share.share_id ?? "none"}`],
      "/folders/:id": [`/folders/${folder}`],
      "/channels/:id": [`/channels/${channel}`],
      "/knowledge/:id": [`/knowledge/${knowledge}`, "/knowledge/new"],
      "/prompts/:id": [`/prompts/${prompt}`, "/prompts/new"],
      "/models/edit": ["/models/edit?id=harbour-desk"],
      "/settings/connections/:id": ["/settings/connections/new"],
      "/settings/tools/own/:id": ["/settings/tools/own/tides", "/settings/tools/own/new"],
      "/settings/tool-servers/:id": ["/settings/tool-servers/new"],
      "/help/:page": ["/help/chats"],
      "/admin/people": ["/admin/people", `/admin/people?person=${boId}`],
      "/admin/groups/:id": [`/admin/groups/${group}`],
      "/admin/people/:id/data": [`/admin/people/${boId}/data`],
      "/admin/moving-in/:id": [`/admin/moving-in/${importId}`],
      "/admin/erasures/:id": ["/admin/erasures/none"],
      "/admin/organizations/:id": [`/admin/organizations/${organization}`],
      "/admin/connections/:id": [`/admin/connections/${connection}`, "/admin/connections/new"],
      "/admin/models/edit": ["/admin/models/edit?id=harbour-desk", "/admin/models/edit?id=mistral"],
      "/admin/functions/:id": ["/admin/functions/tone", "/admin/functions/new"],
      "/admin/tools/:id": ["/admin/tools/tides", "/admin/tools/new"],
      "/admin/tool-servers/:id": [`/admin/tool-servers/${toolServer}`, "/admin/tool-servers/new"],
      "/admin/audit": ["/admin/audit", `/admin/audit?actor=${adaId}`],
    },
    async open(path, options = {}) {
      const page = await browser.openPage({ baseURL: parley.url, ...options });
      await signInContext(page, parley.url, ada);
      await page.goto(path);
      await page.locator("main :is(h1, textarea)").first().waitFor();
      return page;
    },
    async close() {
      await browser.close();
      await Promise.all([parley.stop(), upstream.close()]);
    },
  };
}
