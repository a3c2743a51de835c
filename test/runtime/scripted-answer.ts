import { env } from "cloudflare:workers";
import { inject } from "vitest";
import type { Env } from "../../workers/env.ts";

export interface ScriptedAnswer {
  /** Resolves with the body of the provider's call when it has come. */
  called(): Promise<{ messages: { role: string; content: string }[] }>;
  write(step: { send?: string; reasoning?: string; finish?: boolean; cut?: boolean }): Promise<void>;
  /** Resolves when the provider's connection has been let go. */
  over(): Promise<void>;
}

/** An answer of the scripted provider to the question of this name. */
export function scriptedAnswer(name: string): ScriptedAnswer {
  const address = `${inject("upstreamUrl")}/control/${encodeURIComponent(name)}`;
  const ask = async (init?: RequestInit) => (env as unknown as Env).TRUSTED!.fetch(address, init);
  const until = async (isReached: (state: { isOver: boolean }) => boolean) => {
    for (;;) {
      const response = await ask();
      const state = (await response.json()) as { body: never; isOver: boolean };
      if (response.status === 200 && isReached(state)) return state.body;
    }
  };
  return {
    called: () => until(() => true),
    over: () => until((state) => state.isOver),
    async write(step) {
      const response = await ask({ method: "POST", body: JSON.stringify(step) });
      await response.body?.cancel();
    },
  };
}
