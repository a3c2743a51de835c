import { afterAll, beforeAll, beforeEach } from "vitest";
import { startWebStandIn, type WebStandIn } from "../fixtures/web/web-stand-in.ts";
import { createWorld, type Person, type World } from "../world.ts";

export interface WebWorld {
  web: WebStandIn;
  world: World;
  admin: Person;
  ada: Person;
  /** Settings, as the administrator changes them. */
  set(values: Record<string, unknown>): Promise<unknown>;
}

/** A world whose web is the stand-in: its search is switched on, and its pages may be called although they are private. */
export function useWebWorld(environment: Record<string, string> = {}): WebWorld {
  const here = {
    async set(values) {
      const answer = await here.world.call("/api/v1/auths/admin/config", { as: here.admin, json: values });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return answer.body;
    },
  } as WebWorld;
  beforeAll(async () => {
    here.web = await startWebStandIn();
  });
  afterAll(() => here.web.close());
  beforeEach(async () => {
    Object.assign(here.web, { searches: [], visits: [], status: 200, found: usual });
    here.world = await createWorld({
      environment: {
        OUTBOUND_ALLOWED_PRIVATE_HOSTS: here.web.host,
        ENABLE_WEB_SEARCH: "true",
        WEB_SEARCH_ENGINE: "searxng",
        SEARXNG_QUERY_URL: here.web.origin,
        ...environment,
      },
    });
    here.admin = await here.world.admin();
    here.ada = await here.world.person();
    return () => here.world.close();
  });
  return here;
}

export const usual = [
  { path: "/ferry", title: "Ferries", snippet: "Times of all ferries" },
  { path: "/fees", title: "Fees", snippet: "What berths cost" },
];
