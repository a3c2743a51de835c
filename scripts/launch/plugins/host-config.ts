import path from "node:path";
import type { BuiltWorker } from "../runtime-plan.ts";
import { trustedAuthorities } from "../trusted-authorities.ts";
import { compileConfig, list, quote, workerFields } from "../workerd/compile-config.ts";

/** Start options of the plugin host's processes, in addition to its wrangler.toml. */
export interface HostPlan {
  worker: BuiltWorker;
  /** Folder of its static assets. */
  assets: string | undefined;
  /** Folder for the text of the configuration. */
  scratch: string;
  /** `host` or `host:port`, separated by commas: what may be reached though it is private. */
  allowedPrivateHosts: string;
  /** So many isolates of Python may be warm in one process. */
  warmIsolates: number;
  /** File of further authorities for TLS, as NODE_EXTRA_CA_CERTS. */
  extraAuthorities: string | undefined;
}

/** A young generation as small as the service's; a heap that outgrows this ends the process before the machine suffers. */
const v8Flags = ["--max-semi-space-size=2", "--optimize-for-size", "--max-old-space-size=512"];

/** The configuration of one process of the plugin host: a loader, a network and a folder. Name of its socket: `http`. */
export function compileHostConfig(plan: HostPlan): Promise<Buffer> {
  return compileConfig(path.join(plan.scratch, "plugin-host.capnp"), hostConfigText(plan));
}

function hostConfigText({ worker, assets, allowedPrivateHosts, warmIsolates, extraAuthorities }: HostPlan): string {
  const loaders = Object.keys((worker.options["workerLoaders"] ?? {}) as object).map(
    (name) => `(name = ${quote(name)}, workerLoader = (id = ${quote(name)}))`,
  );
  const assetsBinding = (worker.options["assets"] as { binding?: string } | undefined)?.binding;
  const bindings = [
    ...loaders,
    ...(assetsBinding && assets ? [`(name = ${quote(assetsBinding)}, service = "assets")`] : []),
    `(name = "TRUSTED", service = "everywhere")`,
    `(name = "WARM_ISOLATES", text = ${quote(String(warmIsolates))})`,
    `(name = "OUTBOUND_ALLOWED_PRIVATE_HOSTS", text = ${quote(allowedPrivateHosts)})`,
  ];
  const { trustedCertificates } = trustedAuthorities(extraAuthorities);
  const tls = `tlsOptions = (trustBrowserCas = true, trustedCertificates = ${list(trustedCertificates.map(quote))})`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "host", worker = (
      ${workerFields(worker)},
      bindings = ${list(bindings)},
      globalOutbound = "public")),
    (name = "public", network = (allow = ["public"], ${tls})),
    (name = "everywhere", network = (allow = ["public", "private"], ${tls})),
    ${assets ? `(name = "assets", disk = (path = ${quote(assets)})),` : ""}
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "host")],
  v8Flags = ${list(v8Flags.map(quote))},
  structuredLogging = true,
);
`;
}
