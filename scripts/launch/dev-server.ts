import { existsSync, watch } from "node:fs";
import path from "node:path";
import { createServer, type ProxyOptions } from "vite";
import type { Instance } from "./instance.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { projectRoot } from "./project-root.ts";
import type { BuiltWorker } from "./runtime-plan.ts";
import { complain, say } from "./say.ts";

/** Editors write a file in several steps; what comes within this time is one change. Milliseconds. */
const settleMs = 100;

/**
 * `npm run dev`: one address, where Vite serves the UI's sources and replaces changed modules in the open page, and
 * passes on what the service answers itself. A change of the service builds it again and restarts workerd.
 */
export async function serveWithReload(instance: Instance, options: LaunchOptions, service: BuiltWorker): Promise<void> {
  const target: ProxyOptions = { target: instance.runtimeUrl, ws: true };
  const paths = service.workerFirst;
  const vite = await createServer({
    configFile: path.join(projectRoot, "vite.config.ts"),
    server: {
      host: options.host,
      port: Number(new URL(instance.url).port || 80),
      strictPort: true,
      proxy: Object.fromEntries(paths.map((pattern) => [toVitePattern(pattern), target])),
    },
  });
  await vite.listen();

  let timer: NodeJS.Timeout | undefined;
  let reloading = Promise.resolve();
  const changed = (file: string | null) => {
    if (file?.startsWith("ui/")) return;
    clearTimeout(timer);
    timer = setTimeout(() => (reloading = reloading.then(() => reload(instance))), settleMs);
  };
  for (const folder of ["src", "workers", "migrations"].filter((name) => existsSync(path.join(projectRoot, name)))) {
    watch(path.join(projectRoot, folder), { recursive: true }, (_event, file) =>
      changed(folder === "src" ? file : `${folder}/`),
    );
  }
  watch(path.join(projectRoot, "wrangler.toml"), () => changed(null));
}

async function reload(instance: Instance): Promise<void> {
  try {
    await instance.reload();
    say("Reloaded.");
  } catch (error) {
    complain(`Not reloaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** wrangler's `/api/*` as Vite's `^/api/.*`; a pattern without a star is that path alone, with or without a query. */
function toVitePattern(pattern: string): string {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  return `^${escaped.replaceAll("*", ".*")}(?:\\?.*)?$`;
}
