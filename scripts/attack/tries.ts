import { send, type Somebody, type Target } from "./service.ts";

/** One request that must be refused. */
export interface Try {
  name: string;
  /** Statuses that count as refused. */
  refused: readonly number[];
  send(target: Target): Promise<{ status: number; text: string }>;
}

const [eve, ada] = [({ attackers }: Target): Somebody => attackers[0]!, ({ people }: Target): Somebody => people[0]!];

/** A chat of somebody else. */
async function foreignChat(target: Target): Promise<string> {
  const { token } = ada(target);
  const made = await send(target.parley.url, "POST", "/api/v1/chats/new", {
    token,
    json: { chat: { title: "Private" } },
  });
  return (JSON.parse(made.text) as { id: string }).id;
}

/** Signed by nobody, with the same claims. */
function unsigned(token: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ alg: "none", typ: "JWT" })}.${token.split(".")[1]}.`;
}

const privateAddresses = [
  "http://127.0.0.1:1/",
  "http://localhost:1/",
  "http://[::1]:1/",
  "http://[::ffff:127.0.0.1]:1/",
  "http://2130706433:1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://10.0.0.1/",
];

export const tries: readonly Try[] = [
  ...(["GET", "POST", "DELETE"] as const).map((method): Try => ({
    name: `another person's chat, ${method}`,
    refused: [404],
    async send(target) {
      const id = await foreignChat(target);
      const change = method === "POST" ? { json: { chat: { title: "Mine" } } } : {};
      return send(target.parley.url, method, `/api/v1/chats/${id}`, { token: eve(target).token, ...change });
    },
  })),
  {
    name: "another person's chat, as the place of a completion",
    refused: [404],
    async send(target) {
      const json = {
        model: "parley-guide",
        chat_id: await foreignChat(target),
        messages: [{ role: "user", content: "x" }],
      };
      return send(target.parley.url, "POST", "/api/chat/completions", { token: eve(target).token, json });
    },
  },
  ...["/api/v1/users/", "/api/v1/connections", "/api/v1/audit", "/api/v1/auths/admin/config"].map((path): Try => ({
    name: `what administrators see: ${path}`,
    refused: [403, 404],
    send: (target) => send(target.parley.url, "GET", path, { token: eve(target).token }),
  })),
  {
    name: "oneself as an administrator",
    refused: [403],
    send: (target) => {
      const { id, token } = eve(target);
      return send(target.parley.url, "POST", `/api/v1/users/${id}/update`, { token, json: { role: "admin" } });
    },
  },
  {
    name: "a token without a signature",
    refused: [401],
    send: (target) => send(target.parley.url, "GET", "/api/v1/users/", { token: unsigned(target.admin.token) }),
  },
  {
    name: "a cookie from a page of another site",
    refused: [403],
    send: (target) => {
      const headers = {
        cookie: `token=${eve(target).token}`,
        origin: "https://elsewhere.example",
        "sec-fetch-site": "cross-site",
      };
      return send(target.parley.url, "POST", "/api/v1/chats/new", { headers, json: { chat: { title: "Forged" } } });
    },
  },
  ...privateAddresses.map((url): Try => ({
    name: `an outbound webhook to ${url}`,
    refused: [422],
    send: (target) =>
      send(target.parley.url, "PUT", "/api/v1/webhooks/own", { token: eve(target).token, json: { url } }),
  })),
  ...[...privateAddresses, "file:///etc/passwd", "http://user:secret@example.com/"].map((url): Try => ({
    name: `a picture of ${url}`,
    refused: [403, 422],
    send: (target) =>
      send(target.parley.url, "GET", `/api/v1/images/proxy?url=${encodeURIComponent(url)}`, {
        token: eve(target).token,
      }),
  })),
  {
    name: "a picture of another site for somebody who is not signed in",
    refused: [401],
    send: (target) => send(target.parley.url, "GET", "/api/v1/images/proxy?url=https%3A%2F%2Fexample.com%2Fp.png"),
  },
  {
    name: "another person's storage, as an administrator sees it",
    refused: [403],
    send: (target) => send(target.parley.url, "GET", "/api/v1/storage/admin", { token: eve(target).token }),
  },
  ...["/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "/api/v1/files/..%2f..%2fsecrets.json/content"].map(
    (path): Try => ({
      name: `a file outside of the service: ${path}`,
      refused: [400, 401, 404],
      send: async (target) => {
        const answer = await send(target.parley.url, "GET", path, { token: eve(target).token });
        // Any other path is the web UI's page, which has nothing of the machine in it.
        return answer.status === 200 && answer.text.includes("<!doctype html>") ? { ...answer, status: 404 } : answer;
      },
    }),
  ),
  {
    name: "a channel's webhook with a guessed token",
    refused: [401],
    send: (target) =>
      send(target.parley.url, "POST", `/api/v1/channels/webhooks/${crypto.randomUUID()}/guess`, {
        json: { content: "x" },
      }),
  },
  {
    name: "JSON that is nested a million times",
    refused: [400],
    send: (target) =>
      send(target.parley.url, "POST", "/api/v1/chats/new", { token: eve(target).token, body: "[".repeat(1_000_000) }),
  },
];
