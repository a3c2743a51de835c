import type { Page } from "playwright-core";
import type { ChannelMessage, ChannelView } from "../../src/channels/schema.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

/** Somebody with an account, and what they do over the API beside the browser. */
export interface Somebody {
  account: Account;
  id: string;
  token: string;
  call: <T>(method: string, path: string, body?: object) => Promise<T>;
  /** Posts a message; `extra` are further fields of it. */
  say: (channelId: string, content: string, extra?: object) => Promise<ChannelMessage>;
}

export interface ChannelsWorld {
  parley: Parley;
  browser: TestBrowser;
  /** Administrator. */
  ada: Somebody;
  bo: Somebody;
  /** A public channel with these members beside Ada, who makes it. */
  makeChannel: (name: string, members?: readonly Somebody[], more?: object) => Promise<ChannelView>;
  /** A page on which somebody is signed in, at this address. */
  open: (who: Somebody, path: string, options?: PageOptions) => Promise<Page>;
  close: () => Promise<void>;
}

const boAccount: Account = { name: "Bo Ek", email: "bo@harbour.example", password: "another long password" };

/** The real service with two people who may use channels. */
export async function openChannelsWorld(env: Record<string, string> = {}): Promise<ChannelsWorld> {
  const [parley, browser] = await Promise.all([
    startParley({ env: { DEFAULT_USER_ROLE: "user", ...env } }),
    openBrowser(),
  ]);
  const join = async (account: Account): Promise<Somebody> => {
    const { id, token } = await signUpByApi(parley.url, account);
    const call = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);
    return {
      account,
      id,
      token,
      call,
      say: (channelId, content, extra = {}) =>
        call("POST", `/api/v1/channels/${channelId}/messages/post`, { content, ...extra }),
    };
  };
  const first = await join(ada);
  const second = await join(boAccount);
  return {
    parley,
    browser,
    ada: first,
    bo: second,
    async makeChannel(name, members = [], more = {}) {
      const channel = await first.call<ChannelView>("POST", "/api/v1/channels/create", {
        name,
        is_private: false,
        ...more,
      });
      const ids = members.map(({ id }) => id);
      if (ids.length > 0)
        await first.call("POST", `/api/v1/channels/${channel.id}/update/members/add`, { user_ids: ids });
      return channel;
    },
    async open(who, path, options = {}) {
      const page = await browser.openPage({ baseURL: parley.url, ...options });
      await signInContext(page, parley.url, who.account);
      await page.goto(path);
      return page;
    },
    async close() {
      await browser.close();
      await parley.stop();
    },
  };
}

/** The list of what is said in a channel. */
export const log = (page: Page) => page.getByRole("log", { name: /^Messages in/ });
/** A message by its words, in the channel. */
export const message = (page: Page, words: string) => log(page).locator("[data-message]").filter({ hasText: words });
export const field = (page: Page) => page.getByRole("textbox", { name: /^Message to/ });
export const rail = (page: Page) => page.getByRole("navigation", { name: "Main navigation" });

/** Types a message and sends it. */
export async function write(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Control+Enter");
}
