import { beforeEach, describe, expect, it } from "vitest";
import type { FileView } from "../../src/documents/files/schema.ts";
import { useWebWorld } from "./web-world.ts";

const here = useWebWorld();

interface Found {
  items: { link: string }[];
  docs: { content: string; metadata: { source: string; title: string } }[];
  failed: { link: string; reason: string }[];
  loaded_count: number;
}
const search = (json: object = { queries: ["ferry"] }, as = here.ada) =>
  here.world.call<Found & { detail: string }>("/api/v1/retrieval/process/web/search", { as, json });
const find = (...paths: string[]) => {
  here.web.found = paths.map((path) => ({ path, title: path, snippet: "" }));
};

describe("pages that a search finds", () => {
  it("are read as text, with their titles, as a stranger reads them", async () => {
    const { status, body } = await search();
    expect(status).toBe(200);
    expect(body.docs.map(({ metadata }) => metadata)).toEqual([
      { source: `${here.web.origin}/ferry`, title: "Ferries of Skagen" },
      { source: `${here.web.origin}/fees`, title: "Fees & berths" },
    ]);
    expect(body.docs[0]!.content).toContain("leaves at 21:40");
    expect(body.docs[0]!.content).not.toMatch(/tracking|Home/);
    const [visit] = here.web.visits;
    expect(Object.keys(visit!.headers)).not.toEqual(expect.arrayContaining(["cookie"]));
    expect(visit!.headers["authorization"]).toBeUndefined();
  });

  it("follow redirects, but not to private addresses", async () => {
    await here.set({ WEB_SEARCH_RESULT_COUNT: 5 });
    find("/moved", "/to-private", "http://10.1.2.3/", "http://localhost:1/x", "/notes.txt");
    const { body } = await search();
    expect(body.docs.map(({ content }) => content.slice(0, 20))).toEqual([
      expect.stringContaining("Ferries"),
      "Plain notes about ti",
    ]);
    expect(body.failed.map(({ reason }) => reason)).toEqual([
      "10.0.0.7 is not a public address",
      "10.1.2.3 is not a public address",
      "localhost is not a public address",
    ]);
  });

  it("fail one by one, each with its reason", async () => {
    await here.set({ WEB_LOADER_TIMEOUT: 1 });
    find("/gone", "/members", "/video", "/empty", "/huge", "/silent", "/cut", "/ferry");
    await here.set({ WEB_SEARCH_RESULT_COUNT: 10 });
    const { body } = await search();
    expect(body.loaded_count).toBe(1);
    expect(body.failed.map(({ link, reason }) => `${new URL(link).pathname}: ${reason}`)).toEqual([
      "/gone: the page does not exist (status 404)",
      "/members: the site refuses visitors without an account (status 403)",
      "/video: not a text that can be read (video/mp4)",
      "/empty: has no text without scripts",
      "/huge: larger than 3 MB",
      "/silent: not read within 1 s",
      "/cut: broke off",
    ]);
  });

  it("are not opened where the short texts are enough", async () => {
    await here.set({ BYPASS_WEB_SEARCH_WEB_LOADER: true });
    const { body } = await search();
    expect(body.docs.map(({ content }) => content)).toEqual(["Times of all ferries", "What berths cost"]);
    expect(here.web.visits).toEqual([]);
  });

  it("are of several queries in turn, each page once", async () => {
    const { body } = await search({ queries: ["ferry", "fees"] });
    expect([here.web.searches.toSorted(), body.items.length]).toEqual([["fees", "ferry"], 2]);
  });
});

describe("a search over the API", () => {
  it("needs the permission, the switch and a body that is right", async () => {
    expect((await search({ queries: [] })).status).toBe(422);
    expect((await search({ queries: ["x".repeat(1001)] })).status).toBe(422);
    expect((await search({ queries: "ferry" })).status).toBe(422);
    await here.world.call("/api/v1/users/default/permissions", {
      as: here.admin,
      json: { features: { web_search: false } },
    });
    expect((await search()).status).toBe(403);
    expect((await search({ queries: ["a"] }, here.admin)).status).toBe(200);
  });

  it("tells what the provider said when nothing was found because of it", async () => {
    here.web.status = 500;
    const { status, body } = await search();
    expect([status, body.detail]).toEqual([502, "SearXNG returned status 500"]);
  });
});

describe("a page that a person attaches", () => {
  const attach = (url: unknown, more: object = {}, as = here.ada) =>
    here.world.call<{ status: true; collection_name: string; filename: string; file: FileView; detail: string }>(
      "/api/v1/retrieval/process/web",
      { as, json: { url, ...more } },
    );
  let count: () => Promise<unknown>;
  beforeEach(() => {
    count = async () =>
      (
        await here.world.client.execute(
          "SELECT (SELECT count(*) FROM files) AS files, (SELECT count(*) FROM uploads) AS uploads",
        )
      ).rows[0];
  });

  it("becomes a file of theirs with its title, which is read like an upload", async () => {
    const { status, body } = await attach(`${here.web.origin}/ferry#times`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: true,
      collection_name: `file-${body.file.id}`,
      filename: "Ferries of Skagen.html",
      file: {
        user_id: here.ada.id,
        data: { status: "pending" },
        meta: { content_type: "text/html", data: { source: `${here.web.origin}/ferry`, title: "Ferries of Skagen" } },
      },
    });
    const content = await here.world.request(`/api/v1/files/${body.file.id}/content`, { as: here.ada });
    expect(await content.text()).toContain("21:40");
    const other = await here.world.person();
    expect((await here.world.request(`/api/v1/files/${body.file.id}`, { as: other })).status).toBe(404);
  });

  it("twice at the same time is two files", async () => {
    const answers = await Promise.all([attach(`${here.web.origin}/fees`), attach(`${here.web.origin}/fees`)]);
    expect(new Set(answers.map(({ body }) => body.file.id)).size).toBe(2);
  });

  it.each([
    ["/gone", 400, /the page does not exist/],
    ["/video", 400, /not a text that can be read/],
    ["/to-private", 400, /10\.0\.0\.7 is not a public address/],
    ["/huge", 413, /at most 25 MB/],
    ["/cut", 400, /broke off/],
  ])("%s is refused, and nothing is left of it", async (path, status, words) => {
    const answer = await attach(here.web.origin + path);
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringMatching(words)]);
    expect(await count()).toEqual({ files: 0, uploads: 0 });
  });

  it.each(["", "no address", "file:///etc/passwd", "https://user:secret@a.example/", "http://\ud800.example/", 7])(
    "%j is no address",
    async (url) => expect((await attach(url)).status).toBe(422),
  );

  it("needs the permission, and a base of one's own where one is named", async () => {
    expect((await attach(`${here.web.origin}/ferry`, { collection_name: "nobody" })).status).toBe(404);
    await here.world.call("/api/v1/users/default/permissions", {
      as: here.admin,
      json: { chat: { web_upload: false } },
    });
    expect((await attach(`${here.web.origin}/ferry`)).status).toBe(403);
    expect(here.web.visits).toEqual([]);
  });

  it("is of an allowed site", async () => {
    await here.set({ WEB_SEARCH_DOMAIN_FILTER_LIST: ["harbour.example"] });
    expect((await attach(`${here.web.origin}/ferry`)).body.detail).toContain("is not an allowed site");
  });
});
