import path from "node:path";
import { fileURLToPath } from "node:url";
import type { RuntimePlan } from "./runtime-plan.ts";
import type { trustedAuthorities } from "./trusted-authorities.ts";
import type { UiFiles } from "./ui-files.ts";
import { list, quote, workerFields } from "./workerd/compile-config.ts";

/**
 * Requests end before the young generation is full, so little of them has to be copied, or stays for a full collection; and full
 * collections come early, so that each finds little. For 23 MB more than `--optimize-for-size` a completion takes 13 to 26 % less.
 */
const v8Flags = ["--min-semi-space-size=4", "--max-semi-space-size=4", "--heap-growing-percent=30"];

/** Miniflare's bucket: the one part of it that runs. Folders of data have its format and its names. */
const bucketClass = "R2BucketObject";
const bucketKey = "miniflare-R2BucketObject";

/**
 * IPv6 networks whose addresses have IPv4 addresses in them, which a gateway may unwrap: IPv4-compatible, NAT64, Teredo,
 * 6to4. For names that resolve to them; workerd counts them as public.
 */
const embeddingNetworks = ["::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"];

/** The bindings of a wrangler.toml that are given on one machine, as wrangler reads them. */
interface ServiceOptions {
  durableObjects?: Record<string, { className: string; useSQLite?: boolean }>;
  r2Buckets?: Record<string, { id: string }>;
  queueProducers?: Record<string, { queueName: string }>;
}

/**
 * The text of workerd's configuration for the service: its Worker, the one that stands for the platform
 * (workers/machine/main.ts), the bucket, and the ways out. Each Worker is an isolate with a heap of its own. Miniflare would
 * write it too, with 23 of them (ARCHITECTURE.md, Measured).
 */
export function runtimeConfigText(
  plan: RuntimePlan,
  settings: Readonly<Record<string, string>>,
  ui: UiFiles,
  authorities: ReturnType<typeof trustedAuthorities>,
): string {
  const { service } = plan;
  const { durableObjects = {}, r2Buckets = {}, queueProducers = {} } = service.options as ServiceOptions;
  const isAside = plan.asideProvider !== null;
  const objects = Object.entries(durableObjects);
  const serviceBindings = [
    ...Object.entries({ ...settings, ...plan.bindings }).map(([name, value]) =>
      binding(name, `text = ${quote(value)}`),
    ),
    ...objects.map(([name, { className }]) => binding(name, `durableObjectNamespace = ${quote(className)}`)),
    ...Object.entries(r2Buckets).map(([name, { id }]) =>
      binding(name, `r2Bucket = ${machine("Bucket", { bucket: id })}`),
    ),
    ...Object.entries(queueProducers).map(([name, { queueName }]) =>
      binding(name, `service = ${machine("Queue", { queue: queueName })}`),
    ),
    binding("ASSETS", `service = ${machine("Files")}`),
    binding("TRUSTED", `service = ${isAside ? machine("Aside") : quote("everywhere")}`),
    ...Object.keys(plan.sockets).map((name) => binding(name, `service = ${quote(socketService(name))}`)),
  ];
  const machineBindings = [
    binding("SERVICE", `service = "service"`),
    binding("EVERYWHERE", `service = "everywhere"`),
    binding("UI", `json = ${quote(JSON.stringify(ui))}`),
    binding("UI_FOLDER", `service = "ui"`),
    binding("BUCKETS", `durableObjectNamespace = (className = ${quote(bucketClass)}, serviceName = "bucket")`),
    ...(isAside
      ? [
          binding("PROVIDER", `service = "provider"`),
          binding("DATABASE", `text = ${quote(plan.bindings["DB_URL"] ?? "")}`),
        ]
      : [binding("NET", `service = "public"`)]),
  ];
  const namespaces = objects.map(
    ([, { className, useSQLite = false }]) =>
      `(className = ${quote(className)}, uniqueKey = ${quote(`${service.name}-${className}`)}, enableSql = ${useSQLite})`,
  );
  const trusted = list(authorities.trustedCertificates.map(quote));
  const tls = `tlsOptions = (trustBrowserCas = ${authorities.trustBrowserCas}, trustedCertificates = ${trusted})`;
  const external = (name: string, address: string) =>
    `(name = ${quote(name)}, external = (address = ${quote(address)}, http = ()))`;
  const disk = (name: string, folder: string, rest: string) =>
    `(name = ${quote(name)}, disk = (path = ${quote(folder)}, ${rest}))`;
  const { compatibilityDate } = service.options;
  const services = [
    `(name = "service", worker = (
      ${workerFields(service)},
      bindings = ${list(serviceBindings)},
      globalOutbound = ${machine("Egress")},
      durableObjectNamespaces = ${list(namespaces)},
      durableObjectStorage = (localDisk = "objects")))`,
    `(name = "machine", worker = (
      modules = [(name = "main.js", esModule = embed ${quote(plan.machine)})],
      compatibilityDate = ${quote(compatibilityDate)},
      compatibilityFlags = ["service_binding_extra_handlers"],
      bindings = ${list(machineBindings)},
      globalOutbound = "nowhere"))`,
    `(name = "bucket", worker = (
      modules = [(name = "bucket.js", esModule = embed ${quote(fileOfMiniflare("r2/bucket.worker.js"))})],
      compatibilityDate = "2023-07-24",
      compatibilityFlags = ["nodejs_compat", "experimental"],
      bindings = [${binding("MINIFLARE_BLOBS", `service = "blobs"`)}],
      globalOutbound = "nowhere",
      durableObjectNamespaces = [(className = ${quote(bucketClass)}, uniqueKey = ${quote(bucketKey)})],
      durableObjectStorage = (localDisk = "blobs")))`,
    disk("objects", path.join(plan.state, "do"), "writable = true"),
    disk("blobs", path.join(plan.state, "r2"), "writable = true"),
    disk("ui", plan.assets, "allowDotfiles = true"),
    ...Object.entries(plan.sockets).map(([name, socket]) => external(socketService(name), `unix:${socket}`)),
    plan.asideProvider === null
      ? `(name = "public", network = (allow = ["public"], deny = ${list(embeddingNetworks.map(quote))}, ${tls}))`
      : external("provider", plan.asideProvider),
    `(name = "everywhere", network = (allow = ["public", "private"], ${tls}))`,
    `(name = "nowhere", network = (allow = []))`,
  ];
  const shared = Object.entries({ "miniflare:shared": "shared/index", "miniflare:zod": "shared/zod" }).map(
    ([name, file]) => `(name = ${quote(name)}, esModule = embed ${quote(fileOfMiniflare(`${file}.worker.js`))})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${services.join(",\n    ")},
  ],
  sockets = [
    (name = "entry", http = (), service = ${machine("Timer")}),
    (name = "service", address = ${quote(`${plan.host}:${plan.port}`)}, http = (), service = "service"),
  ],
  extensions = [(modules = ${list(shared)})],
  v8Flags = ${list(v8Flags.map(quote))},
  structuredLogging = true,
);
`;
}

function binding(name: string, value: string): string {
  return `(name = ${quote(name)}, ${value})`;
}

/** A part of workers/machine/main.ts. */
function machine(entrypoint: string, props?: Record<string, string>): string {
  const told = props === undefined ? "" : `, props = (json = ${quote(JSON.stringify(props))})`;
  return `(name = "machine", entrypoint = ${quote(entrypoint)}${told})`;
}

function socketService(bindingName: string): string {
  return `socket:${bindingName}`;
}

function fileOfMiniflare(name: string): string {
  return path.join(path.dirname(fileURLToPath(import.meta.resolve("miniflare"))), "workers", name);
}
