import type { Cloudflare } from "./cloudflare.ts";
import { edgeWorkers } from "./workers.ts";

interface Deployed {
  deployments: { versions: { version_id: string; percentage: number }[] }[];
}

/** Which version of each Worker takes the requests, and which one did before it; without those that are not deployed. */
export async function readVersions(
  cloudflare: Cloudflare,
): Promise<Map<string, { current: string; previous?: string }>> {
  const found = new Map<string, { current: string; previous?: string }>();
  for (const { name } of edgeWorkers) {
    const deployed = await cloudflare.find<Deployed>(`/workers/scripts/${name}/deployments`);
    // Newest first; a change of secrets is a version too.
    const versions = (deployed?.deployments ?? []).flatMap(({ versions: [first] }) =>
      first ? [first.version_id] : [],
    );
    const [current] = versions;
    if (current === undefined) continue;
    const previous = versions.find((version) => version !== current);
    found.set(name, { current, ...(previous === undefined ? {} : { previous }) });
  }
  return found;
}

/** Gives all requests to these versions, the service first: it is the one that calls the others. */
export async function useVersions(
  cloudflare: Cloudflare,
  versions: ReadonlyMap<string, string>,
  tell: (line: string) => void,
): Promise<void> {
  for (const { name } of edgeWorkers.toReversed()) {
    const version = versions.get(name);
    if (version === undefined) continue;
    await cloudflare.ask("POST", `/workers/scripts/${name}/deployments`, {
      strategy: "percentage",
      versions: [{ version_id: version, percentage: 100 }],
      annotations: { "workers/message": "Rolled back by npm run deploy" },
    });
    tell(`Worker ${name}: back to version ${version}`);
  }
}
