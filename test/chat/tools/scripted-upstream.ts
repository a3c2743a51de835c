import { createGuardedFetch } from "../../../src/http/guarded-fetch.ts";
import { createWorld, type World } from "../../world.ts";
import { scriptedModel, type ScriptedModel, type ScriptedRound } from "./scripted-model.ts";

export interface ToolWorld {
  world: World;
  /** What the only model, `scripted`, does from now on. */
  play(...rounds: ScriptedRound[]): ScriptedModel;
}

/**
 * The whole service with one provider, which does what it is told here.
 * @param beside a server that is called as it is, besides the provider: `host` is `127.0.0.1:port`
 */
export async function createToolWorld(
  environment: Record<string, string> = {},
  beside?: { host: string },
): Promise<ToolWorld> {
  let playing = scriptedModel([{ content: "Nothing was told" }]);
  const answer = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    if (beside && new URL(request.url).host === beside.host) return fetch(request);
    if (request.url.endsWith("/models")) return Response.json({ data: [{ id: "scripted", object: "model" }] });
    const body = (await request.json()) as Record<string, unknown>;
    const { signal } = request;
    return playing.model.driver.complete({ body, signal } as Parameters<typeof playing.model.driver.complete>[0]);
  };
  const trusted = answer as typeof fetch;
  const outbound = { trusted, guarded: beside ? createGuardedFetch(trusted, trusted, [beside.host]) : trusted };
  const world = await createWorld({
    environment: { OPENAI_API_BASE_URLS: "http://model.test/v1", ...environment },
    services: { outbound },
  });
  return {
    world,
    play(...rounds) {
      playing = scriptedModel(rounds);
      return playing;
    },
  };
}
