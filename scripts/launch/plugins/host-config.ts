import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { BuiltWorker } from "../runtime-plan.ts";
import { trustedAuthorities } from "../trusted-authorities.ts";
import { workerdBinary } from "./workerd-binary.ts";

/** What the processes of the plugin host are started with, beside what its wrangler.toml says. */
export interface HostPlan {
  worker: BuiltWorker;
  /** Folder of its static assets. */
  assets: string | undefined;
  /** Folder for the text of the configuration. */
  scratch: string;
  /** `host` or `host:port`, separated by commas: what may be reached though it is private. */
  allowedPrivateHosts: string;
  /** File of further authorities for TLS, as NODE_EXTRA_CA_CERTS. */
  extraAuthorities: string | undefined;
}

const moduleKinds = { ESModule: "esModule", CompiledWasm: "wasm", Text: "text", Data: "data" } as const;

/** A young generation as small as the service's; a heap that outgrows this ends the process before the machine suffers. */
const v8Flags = ["--max-semi-space-size=2", "--optimize-for-size", "--max-old-space-size=512"];

/**
 * The configuration of one process of the plugin host, as workerd reads it. It needs so little that Miniflare, which takes a second
 * and 100 MB, is not asked: a loader, a network and a folder. Name of its socket: `host`.
 */
export async function compileHostConfig(plan: HostPlan): Promise<Buffer> {
  const file = path.join(plan.scratch, "plugin-host.capnp");
  writeFileSync(file, hostConfigText(plan), { mode: 0o600 });
  return new Promise((resolve, reject) => {
    execFile(
      workerdBinary,
      ["compile", "--config-only", "--import-path=/", file, "config"],
      { encoding: "buffer", maxBuffer: 2 ** 28 },
      (error, stdout, stderr) => (error ? reject(new Error(stderr.toString() || error.message)) : resolve(stdout)),
    );
  });
}

function hostConfigText({ worker, assets, allowedPrivateHosts, extraAuthorities }: HostPlan): string {
  const { compatibilityDate, compatibilityFlags = [], ...options } = worker.options;
  const modules = worker.modules.map(
    (module) =>
      `(name = ${text(path.basename(module.path))}, ${moduleKinds[module.type]} = embed ${text(path.resolve(module.path))})`,
  );
  const loaders = Object.keys((options["workerLoaders"] ?? {}) as object).map(
    (name) => `(name = ${text(name)}, workerLoader = (id = ${text(name)}))`,
  );
  const assetsBinding = (options["assets"] as { binding?: string } | undefined)?.binding;
  const bindings = [
    ...loaders,
    ...(assetsBinding && assets ? [`(name = ${text(assetsBinding)}, service = "assets")`] : []),
    `(name = "TRUSTED", service = "everywhere")`,
    `(name = "OUTBOUND_ALLOWED_PRIVATE_HOSTS", text = ${text(allowedPrivateHosts)})`,
  ];
  const { trustedCertificates } = trustedAuthorities(extraAuthorities);
  const tls = `tlsOptions = (trustBrowserCas = true, trustedCertificates = ${list(trustedCertificates.map(text))})`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "host", worker = (
      modules = ${list(modules)},
      compatibilityDate = ${text(compatibilityDate)},
      compatibilityFlags = ${list((compatibilityFlags as string[]).map(text))},
      bindings = ${list(bindings)},
      globalOutbound = "public")),
    (name = "public", network = (allow = ["public"], ${tls})),
    (name = "everywhere", network = (allow = ["public", "private"], ${tls})),
    ${assets ? `(name = "assets", disk = (path = ${text(assets)})),` : ""}
  ],
  sockets = [(name = "host", address = "127.0.0.1:0", http = (), service = "host")],
  v8Flags = ${list(v8Flags.map(text))},
  structuredLogging = true,
);
`;
}

/** As Cap'n Proto writes texts, which is as JSON does for what stands here. */
function text(value: string): string {
  return JSON.stringify(value);
}

function list(items: readonly string[]): string {
  return `[${items.join(", ")}]`;
}
