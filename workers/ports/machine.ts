import * as z from "zod";
import { machineFigures } from "../../src/machine/schema.ts";
import type { Machine } from "../../src/ports.ts";

const freeAnswer = z.object({ freeBytes: z.number() });
const compactedAnswer = z.object({ freedBytes: z.number() });

/** The launcher at its socket (scripts/launch/figures/figures-server.ts). */
export function createMachine(launcher: Fetcher): Machine {
  async function ask(method: "GET" | "POST", path: string): Promise<unknown> {
    const response = await launcher.fetch(`http://launcher${path}`, { method });
    if (!response.ok) throw new Error(`The launcher answered ${response.status}`);
    return response.json();
  }
  return {
    figures: async () => machineFigures.parse(await ask("GET", "/figures")),
    freeBytes: async () => freeAnswer.parse(await ask("GET", "/free")).freeBytes,
    async startBackup() {
      await ask("POST", "/backups");
    },
    compact: async () => compactedAnswer.parse(await ask("POST", "/compactions")).freedBytes,
  };
}
