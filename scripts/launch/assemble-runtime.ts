import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { environmentNames, parseEnvironment, SettingError } from "../../src/compose/parse-environment.ts";
import { asideScript, closedEgressScript, egressScript, embeddingNetworks } from "./egress.ts";
import { queueBindings, queueScript } from "./queues.ts";
import type { RuntimePlan } from "./runtime-plan.ts";
import { trustedAuthorities } from "./trusted-authorities.ts";

/**
 * Turns a RuntimePlan (JSON on standard input) into the configuration that workerd reads, and ends. Miniflare does that
 * work: it knows how bindings, assets and Durable Objects of a wrangler.toml become services of workerd. It takes
 * 100 MB that would stay for good if the launcher itself imported it, so this is a process of its own, and the launcher
 * starts workerd with what is found here. Exit code 2: variables have wrong values, said on standard error. A line on
 * standard output: all are right.
 */
try {
  // First of all, while the launcher still builds: a wrong variable is told at once.
  parseEnvironment(process.env);
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  process.stderr.write(error.message);
  process.exit(2);
}

process.stdout.write("The settings are right.\n");

// Only now: loading it takes longer than all before.
const { Log, LogLevel, Miniflare, convertV4MiniflareOptions } = await import("miniflare");
const plan = JSON.parse(await text(process.stdin)) as RuntimePlan;
const [service, ...others] = plan.workers;
if (service === undefined) throw new Error("a runtime needs a Worker");

const given = environmentNames.filter((name) => (process.env[name] ?? "") !== "");
const settings = Object.fromEntries(given.map((name) => [name, process.env[name] ?? ""]));

process.env["PARLEY_CAPTURE"] = plan.output;
// Where Miniflare makes a folder that it would remove at an end of its own.
process.env["TMPDIR"] = plan.scratch;
process.env["MINIFLARE_WORKERD_PATH"] = path.join(import.meta.dirname, "capture-runtime.sh");
// A small young generation and compact code: the same throughput, a third of the tail latency, half of the memory.
process.env["MINIFLARE_WORKERD_V8_FLAGS"] = "--max-semi-space-size=2 --optimize-for-size";

const tlsOptions = trustedAuthorities(process.env["NODE_EXTRA_CA_CERTS"]);
const everywhere = { network: { allow: ["public", "private"], deny: [], tlsOptions } };
/** An instance that stands aside has another way to the providers. */
const aside =
  plan.asideProvider === null
    ? []
    : [
        {
          name: "aside",
          modules: true,
          script: asideScript,
          compatibilityDate: service.options.compatibilityDate,
          bindings: { DATABASE: plan.bindings["DB_URL"] },
          serviceBindings: { NET: everywhere, PROVIDER: { external: { address: plan.asideProvider, http: {} } } },
        },
      ];
const queues = Object.fromEntries(
  Object.keys(queueBindings).map((binding) => [binding, { name: "queues", entrypoint: binding }]),
);
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    log: new Log(LogLevel.NONE),
    cf: false,
    telemetry: { enabled: false },
    // Cron triggers come in through the private socket.
    unsafeTriggerHandlers: true,
    resourcePersistencePath: plan.state,
    resourceTmpPath: plan.scratch,
    workers: [
      {
        ...fromBuild(service),
        // In front of a Worker with assets stand two more, which every call to the API would pass. The service hands
        // over what is not its own instead.
        assets: undefined,
        bindings: { ...settings, ...plan.bindings },
        queueProducers: undefined,
        queueConsumers: undefined,
        serviceBindings: {
          ...(service.options["serviceBindings"] as object),
          ...queues,
          TRUSTED: plan.asideProvider === null ? everywhere : "aside",
          ASSETS: "ui",
          EXTRACTOR: { external: { address: `unix:${plan.extractorSocket}`, http: {} } },
          LAUNCHER: { external: { address: `unix:${plan.figuresSocket}`, http: {} } },
          PASSWORDS: { external: { address: `unix:${plan.passwordsSocket}`, http: {} } },
          PLUGIN_HOST: { external: { address: `unix:${plan.pluginSocket}`, http: {} } },
        },
        outboundService: "egress",
        unsafeDirectSockets: [{ host: plan.host, port: plan.port }],
      },
      {
        name: "ui",
        modules: true,
        script: "export default { fetch: () => new Response(null, { status: 404 }) };",
        compatibilityDate: service.options.compatibilityDate,
        assets: uiAssets(),
      },
      {
        name: "queues",
        modules: true,
        script: queueScript,
        compatibilityDate: service.options.compatibilityDate,
        compatibilityFlags: ["service_binding_extra_handlers"],
        serviceBindings: { SERVICE: service.name },
      },
      ...aside,
      ...others.map((worker) => ({ ...fromBuild(worker), outboundService: "egress" })),
      {
        name: "egress",
        modules: true,
        script: plan.asideProvider === null ? egressScript : closedEgressScript,
        compatibilityDate: service.options.compatibilityDate,
        serviceBindings: { NET: { network: { allow: ["public"], deny: embeddingNetworks, tlsOptions } } },
      },
    ],
  } as Parameters<typeof convertV4MiniflareOptions>[0]),
);

/** The assets of wrangler.toml without the paths that belong to the service: those never come here. */
function uiAssets(): Record<string, unknown> {
  const { assetConfig } = service!.options["assets"] as { assetConfig: unknown };
  return { directory: plan.assets, assetConfig, routerConfig: { has_user_worker: false } };
}

function fromBuild(worker: RuntimePlan["workers"][number]) {
  return { ...worker.options, name: worker.name, modulesRoot: worker.modulesRoot, modules: worker.modules };
}

// The stand-in for workerd reads its input and ends without opening a socket; Miniflare calls that a failed start.
await miniflare.ready.catch(() => undefined);
// Past Miniflare's exit hook, which would remove the scratch folder that workerd is about to use.
process.kill(process.pid, "SIGKILL");
