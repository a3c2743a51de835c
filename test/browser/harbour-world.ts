import type { Page } from "playwright-core";
import { type FerryServer, startFerryServer } from "../fixtures/tool-servers/ferry-server.ts";
import { type Script, type ScriptedUpstream, startScriptedUpstream } from "../fixtures/upstreams/scripted-upstream.ts";
import { type McpServerUnderTest, startMcpServer } from "../plugins/tool-servers/mcp/mcp-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { composer } from "./chat-world.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

/** The real service with all that plugins and tools need around it: a model that does as told, and two tool servers. */
export interface HarbourWorld {
  parley: Parley;
  upstream: ScriptedUpstream;
  /** OpenAPI; has the administrator's API key, to send events back. */
  ferries: FerryServer;
  /** MCP. */
  tides: McpServerUnderTest;
  browser: TestBrowser;
  /** A call of the API as the administrator. */
  api<T>(method: string, path: string, body?: object): Promise<T>;
  /** A page of the administrator; with a context, another tab of it. Relative addresses in `goto` are the service's. */
  open(path: string, options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

export async function openHarbourWorld(scripts: Record<string, Script>): Promise<HarbourWorld> {
  const [upstream, ferries, tides, browser] = await Promise.all([
    startScriptedUpstream(scripts),
    startFerryServer(),
    startMcpServer(),
    openBrowser(),
  ]);
  const parley = await startParley({
    env: {
      OPENAI_API_BASE_URLS: upstream.url,
      OPENAI_API_KEYS: "sk-upstream",
      ENABLE_API_KEYS: "true",
      ENABLE_FORWARD_USER_INFO_HEADERS: "true",
    },
  });
  const { token } = await signUpByApi(parley.url, ada);
  const api = <T>(method: string, path: string, body?: object): Promise<T> =>
    callApi<T>(parley.url, token, method, path, body);
  const { api_key: key } = await api<{ api_key: string }>("POST", "/api/v1/auths/api_key", { name: "Ferries" });
  ferries.wayBack = { url: parley.url, key };
  return {
    parley,
    upstream,
    ferries,
    tides,
    browser,
    api,
    async open(path, options = {}) {
      const page = await browser.openPage({ baseURL: parley.url, ...options });
      if (!options.context) await signInContext(page, parley.url, ada);
      await page.goto(path);
      if (path === "/" || path.startsWith("/c/")) await composer(page).waitFor();
      return page;
    },
    async close() {
      await browser.close();
      await Promise.all([parley.stop(), upstream.close(), ferries.close(), tides.close()]);
    },
  };
}
