import type { Page } from "playwright-core";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

const password = "another long password";
export const bo: Account = { name: "Bo Ek", email: "bo@harbour.example", password };
export const carla: Account = { name: "Carla Mendes", email: "carla@harbour.example", password };
export const dmitri: Account = { name: "Dmitri Volkov", email: "dmitri@harbour.example", password };

/** What a person may do now, and which models they see. */
export interface Rights {
  organization: string;
  keys: boolean | undefined;
  models: string[];
  /** Ids of the models that new chats begin with, separated by commas. */
  defaultModels: string;
}

/** A service with an administrator, three members of the default organization, and a provider of two models. */
export class OrganizationsWorld {
  readonly parley: Parley;
  readonly browser: TestBrowser;
  readonly #upstream: ReplayServer;
  readonly #token: string;
  /** By name of the person. */
  readonly people = new Map<string, string>();
  readonly #tokens = new Map<string, string>();

  private constructor(parley: Parley, browser: TestBrowser, upstream: ReplayServer, token: string) {
    this.parley = parley;
    this.browser = browser;
    this.#upstream = upstream;
    this.#token = token;
  }

  static async start(): Promise<OrganizationsWorld> {
    const [parley, browser, upstream] = await Promise.all([
      startParley(),
      openBrowser(),
      startReplayServer({ fixtures: ["openai", "mistral"] }),
    ]);
    const { token } = await signUpByApi(parley.url, ada);
    const world = new OrganizationsWorld(parley, browser, upstream, token);
    for (const person of [bo, carla, dmitri]) await world.add(person);
    await world.call("POST", "/api/v1/connections", { name: "Harbour gateway", base_url: upstream.url });
    return world;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await Promise.all([this.parley.stop(), this.#upstream.close()]);
  }

  /** As the administrator. */
  call<T>(method: string, path: string, body?: object): Promise<T> {
    return callApi<T>(this.parley.url, this.#token, method, path, body);
  }

  /** Has only the default organization, with the people of the beginning, and neither groups nor rules. */
  async reset(): Promise<void> {
    await this.call("PUT", "/api/v1/landing-rules", { rules: [] });
    for (const { id } of await this.call<{ id: string }[]>("GET", "/api/v1/groups/"))
      await this.call("DELETE", `/api/v1/groups/id/${id}/delete`);
    const known = new Set([ada, bo, carla, dmitri].map(({ email }) => email));
    const { users } = await this.call<{ users: { id: string; email: string }[] }>("GET", "/api/v1/users/all");
    for (const { id, email } of users) if (!known.has(email)) await this.call("DELETE", `/api/v1/users/${id}`);
    for (const id of this.#idsOf([bo, carla, dmitri]))
      await this.call("POST", `/api/v1/users/${id}/update`, { organization_role: "member" });
    const { organizations: all } = await this.call<{ organizations: { id: string; is_default: boolean }[] }>(
      "GET",
      "/api/v1/organizations",
    );
    const home = all.find(({ is_default: isDefault }) => isDefault)!;
    await this.call("POST", `/api/v1/organizations/${home.id}/members`, {
      user_ids: this.#idsOf([bo, carla, dmitri]),
    });
    for (const { id } of all) if (id !== home.id) await this.call("DELETE", `/api/v1/organizations/${id}`);
  }

  #idsOf(people: readonly Account[]): string[] {
    return people.map(({ name }) => this.people.get(name)!);
  }

  /** A second organization with two people in it. */
  async makeSouth(): Promise<string> {
    const { id } = await this.call<{ id: string }>("POST", "/api/v1/organizations", { name: "Harbour south" });
    await this.call("POST", `/api/v1/organizations/${id}/members`, { user_ids: this.#idsOf([bo, carla]) });
    return id;
  }

  /** A group of the default organization that may use API keys. */
  async makeNightShift(people: readonly Account[]): Promise<string> {
    const { id } = await this.call<{ id: string }>("POST", "/api/v1/groups/create", {
      name: "Night shift",
      description: "On duty until six",
      permissions: { features: { api_keys: true } },
    });
    await this.call("POST", `/api/v1/groups/id/${id}/users/add`, { user_ids: this.#idsOf(people) });
    return id;
  }

  /** The administrator makes an account. */
  async add(person: Account): Promise<void> {
    const { id } = await this.call<{ id: string }>("POST", "/api/v1/auths/add", { ...person, role: "user" });
    this.people.set(person.name, id);
  }

  async open(path: string, who: Account = ada): Promise<Page> {
    const page = await this.browser.openPage({ baseURL: this.parley.url });
    await signInContext(page, this.parley.url, who);
    await page.goto(path);
    return page;
  }

  /** Of their session, if it still holds: checking a password takes 0.2 s of processor time. */
  async #tokenOf(who: Account): Promise<string> {
    const { url } = this.parley;
    const old = this.#tokens.get(who.email);
    if (old && (await fetch(`${url}/api/v1/auths/`, { headers: { authorization: `Bearer ${old}` } })).ok) return old;
    const { token } = await callApi<{ token: string }>(url, "", "POST", "/api/v1/auths/signin", who);
    this.#tokens.set(who.email, token);
    return token;
  }

  async rightsOf(who: Account): Promise<Rights> {
    const { url } = this.parley;
    const token = await this.#tokenOf(who);
    type Session = { permissions: Record<string, Record<string, boolean>>; organization_id: string };
    const [session, models, config] = await Promise.all([
      callApi<Session>(url, token, "GET", "/api/v1/auths/"),
      callApi<{ data: { id: string }[] }>(url, token, "GET", "/api/models"),
      callApi<{ default_models: string }>(url, token, "GET", "/api/config"),
    ]);
    return {
      organization: session.organization_id,
      keys: session.permissions["features"]?.["api_keys"],
      models: models.data.map(({ id }) => id),
      defaultModels: config.default_models,
    };
  }
}

export const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

/** Opens a menu and chooses one of its items. */
export async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Name or text of what has the focus. */
export function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent?.trim(),
  );
}
