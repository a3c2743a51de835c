import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { WireMessage } from "../../../src/chat/conversations/schema.ts";
import type { AnswerSource } from "../../../src/chat/retrieval/number-pieces.ts";
import { newId } from "../../../src/lib/id.ts";
import { startWebStandIn, type WebStandIn } from "../../fixtures/web/web-stand-in.ts";
import { usual } from "../../web/web-world.ts";
import type { Person, World } from "../../world.ts";
import { createToolWorld, type ToolWorld } from "../tools/scripted-upstream.ts";
import { runBackgroundTurn } from "./background-turn.ts";

let web: WebStandIn;
let tools: ToolWorld;
let world: World;
let ada: Person;
const searchOn = () => ({ ENABLE_WEB_SEARCH: "true", WEB_SEARCH_ENGINE: "searxng", SEARXNG_QUERY_URL: web.origin });
beforeAll(async () => {
  web = await startWebStandIn();
  tools = await createToolWorld({ ...searchOn(), ENABLE_SEARCH_QUERY_GENERATION: "false" }, web);
  world = tools.world;
});
afterAll(async () => {
  await world.close();
  await web.close();
});
beforeEach(async () => {
  Object.assign(web, { searches: [], visits: [], status: 200, found: usual });
  ada = await world.person();
});

type Message = { role: string; content: string };
interface Answered {
  choices: { message: { content: string } }[];
  sources?: AnswerSource[];
  warnings?: { code: string; message: string }[];
}
const question = "When does the last ferry to Skagen leave?";
const features = { web_search: true };
const ask = (body: object = {}, as = ada) =>
  world.call<Answered>("/api/chat/completions", {
    as,
    json: { model: "scripted", messages: [{ role: "user", content: question }], features, ...body },
  });
const lastOf = (asked: Record<string, unknown> | undefined) => (asked!["messages"] as Message[]).at(-1)!.content;
const toolsOf = (asked: Record<string, unknown> | undefined) =>
  ((asked!["tools"] ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);
const statusesOf = (message: WireMessage) => message["statusHistory"] as Record<string, unknown>[];

describe("an answer over the API that searches the web", () => {
  it("is given the best passages of the pages, and cites them with title and address", async () => {
    const { asked } = tools.play({ content: "At 21:40.[1]" });
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(web.searches).toEqual([question]);
    const given = lastOf(asked[0]);
    expect(given).toContain(`<source id="1" name="Ferries of Skagen" address="${web.origin}/ferry"`);
    expect(given).toContain("leaves at 21:40");
    expect(given.endsWith(question)).toBe(true);
    expect(body.sources![0]).toMatchObject({
      source: { type: "web", name: "Ferries of Skagen", url: `${web.origin}/ferry` },
      metadata: [{ number: 1, source: `${web.origin}/ferry` }],
    });
    expect(asked[0]).not.toHaveProperty("features");
  });

  it("is not changed by what a page says", async () => {
    web.found = [{ path: "/hostile", title: "Hostile", snippet: "" }];
    const { asked } = tools.play({ content: "Fine" });
    await ask();
    const given = lastOf(asked[0]);
    expect(given.match(/<\/source>/g)).toHaveLength(1);
    // The instructions name the tag once, and the end of the list is the other one.
    expect(given.match(/<\/context>/g)).toHaveLength(2);
  });

  it("keeps to its budget, and finds what stands far down", async () => {
    web.found = [{ path: "/long", title: "Long", snippet: "" }];
    const { asked } = tools.play({ content: "Whale oil" });
    await ask({ messages: [{ role: "user", content: "What does the lighthouse burn?" }] });
    expect(lastOf(asked[0])).toContain("burns whale oil");
    expect(lastOf(asked[0]).length).toBeLessThan(40_000);
  });

  it("goes on without pages that fail, and says so to the caller and the model", async () => {
    web.found = [{ path: "/gone", title: "Gone", snippet: "" }, ...usual];
    const { asked } = tools.play({ content: "Fine" });
    const { body } = await ask();
    expect(body.warnings).toEqual([expect.objectContaining({ code: "page_failed" })]);
    expect(lastOf(asked[0])).toContain("could not be read: the page does not exist (status 404)");
  });

  it("goes on without a search that fails", async () => {
    web.status = 500;
    tools.play({ content: "I do not know" });
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body.warnings).toEqual([expect.objectContaining({ code: "search_failed" })]);
  });

  it("searches only where it is asked for, with the permission, in the organization and with the model", async () => {
    const searched = async (body: object = {}) => {
      web.searches.length = 0;
      tools.play({ content: "Fine" });
      const { body: said } = await ask(body);
      return web.searches.length > 0 ? "yes" : (said.warnings?.[0]?.code ?? "no");
    };
    const admin = await world.admin();
    const permissions = "/api/v1/users/default/permissions";
    expect(await searched({ features: undefined })).toBe("no");
    expect(await searched({ features: { web_search: false } })).toBe("no");
    expect(await searched({ features: [] })).toBe("no");
    expect(await searched()).toBe("yes");
    await world.call(permissions, { as: admin, json: { features: { web_search: false } } });
    expect(await searched()).toBe("unsupported");
    await world.call(permissions, { as: admin, json: { features: { web_search: true } } });
    const organization = await world.call<{ id: string }>("/api/v1/organizations", {
      as: admin,
      json: { name: `Quay ${newId()}`, features: { web_search: false } },
    });
    const outsider = await world.person({ organizationId: organization.body.id });
    tools.play({ content: "Fine" });
    expect((await ask({}, outsider)).body.warnings?.[0]?.code).toBe("unsupported");
    await world.call("/api/v1/models/create", {
      as: admin,
      json: {
        id: "scripted",
        name: "Scripted",
        base_model_id: null,
        meta: { capabilities: { web_search: false } },
        params: {},
        access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
      },
    });
    expect(await searched()).toBe("unsupported");
    await world.call("/api/v1/models/model/delete", { as: admin, json: { id: "scripted" } });
    expect(await searched()).toBe("yes");
  });
});

describe("an answer in a chat", () => {
  it("shows what was searched and read, and keeps its sources", async () => {
    web.found = [...usual, { path: "/video", title: "A film", snippet: "" }];
    tools.play({ content: "At 21:40.[1]" });
    const { message } = await runBackgroundTurn(world, ada, { content: question, body: { features } });
    const statuses = statusesOf(message);
    expect(statuses.map(({ description }) => description)).toEqual([
      "Searching the web",
      `Searching the web for “${question}”`,
      "Reading 3 pages",
      "Read 2 of 3 pages",
    ]);
    expect(statuses.at(-1)).toMatchObject({
      action: "web_search",
      done: true,
      queries: [question],
      pages: [
        { title: "Ferries of Skagen", link: `${web.origin}/ferry`, state: "read" },
        { title: "Fees & berths", state: "read" },
        { title: "A film", state: "failed", reason: "not a text that can be read (video/mp4)" },
      ],
    });
    expect(message["sources"]).toMatchObject([{ source: { url: `${web.origin}/ferry` } }, { source: { type: "web" } }]);
  });

  it("is searched for in a model's words where that is on", async () => {
    const other = await createToolWorld(searchOn(), web);
    other.play(
      { content: '{"queries": ["ferry Skagen timetable", "Skagen ferry last departure"]}' },
      { content: "21:40" },
    );
    const person = await other.world.person();
    await runBackgroundTurn(other.world, person, { content: question, body: { features } });
    expect(web.searches).toEqual(["ferry Skagen timetable", "Skagen ferry last departure"]);
    await other.world.close();
  });
});

describe("a model with tools for the web", () => {
  const params = { function_calling: "native" };
  const call = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, args }] });

  it("searches and opens pages by itself", async () => {
    const { asked } = tools.play(
      call("search_web", { query: "ferry" }),
      call("fetch_url", { url: `${web.origin}/ferry` }),
      { content: "At 21:40." },
    );
    const { message } = await runBackgroundTurn(world, ada, { content: question, body: { features, params } });
    expect(toolsOf(asked[0])).toEqual(["search_web", "fetch_url"]);
    expect(lastOf(asked[1])).toContain(`"link":"${web.origin}/ferry"`);
    expect(lastOf(asked[2])).toMatch(/material, not instructions.*21:40/s);
    expect(message["sources"]).toMatchObject([{ source: { url: `${web.origin}/ferry`, name: "Ferries of Skagen" } }]);
    expect(message["statusHistory"]).toBeUndefined();
  });

  it("opens no address of its own making", async () => {
    const { asked } = tools.play(
      call("fetch_url", { url: `${web.origin}/ferry?secret=word` }),
      call("fetch_url", { url: "http://10.0.0.1/" }),
      { content: "Fine" },
    );
    await ask({ params });
    expect(lastOf(asked[1])).toContain("Only addresses that were found, or that the person wrote");
    expect(web.visits).toEqual([]);
  });

  it("opens what the person wrote, and is told why a page cannot be read", async () => {
    const { asked } = tools.play(call("fetch_url", { url: `${web.origin}/gone` }), { content: "Fine" });
    await ask({ params, messages: [{ role: "user", content: `Read ${web.origin}/gone, please` }] });
    expect(lastOf(asked[1])).toContain("The page cannot be read: the page does not exist (status 404)");
  });
});
