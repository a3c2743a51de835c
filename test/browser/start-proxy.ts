import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { request as askPlain, type IncomingMessage } from "node:http";
import { request as askSecure } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findFreePort } from "../../scripts/launch/ports.ts";
import { configurationOf, type ProxyName, replace, traefikEntryPoints, type Variant } from "./proxy-configurations.ts";

/** Where `scripts/test/install-proxies.sh` has put the programs. Without it, those of the system are used. */
const folder = process.env["PARLEY_TEST_PROXIES"];
const commands: Record<ProxyName, string[]> = {
  nginx: ["nginx"],
  Apache: ["apache2", "httpd"],
  Caddy: ["caddy"],
  Traefik: ["traefik"],
};
const readyLimit = 30_000;
const tls = path.resolve(import.meta.dirname, "../fixtures/tls");

export interface RunningProxy {
  /** Where people open it. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Why the tests of a proxy are skipped, or "". Where somebody asks for all of them, none is. */
export function whyMissing(name: ProxyName): string {
  return folder === undefined && findProgram(name) === undefined ? " is not installed: see CONTRIBUTING.md" : "";
}

function findProgram(name: ProxyName): string | undefined {
  const own = folder === undefined ? [] : ["usr/sbin", "usr/bin"].map((place) => path.join(folder, place));
  const places = [...own, ...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/sbin", "/usr/local/sbin"];
  return places.flatMap((place) => commands[name].map((command) => path.join(place, command))).find(existsSync);
}

/** Where a program is started, and for what. */
interface Place {
  program: string;
  /** Such as 1.2.3. */
  version: string;
  /** Its own, for everything that it writes. */
  home: string;
  port: number;
}

interface Launch {
  files: Record<string, string>;
  args: string[];
}

/** What is around the configuration of the page: where the program listens and writes, and the certificate. */
const launches: Record<ProxyName, (configuration: string, place: Place) => Launch> = {
  nginx(configuration, { home, port, version }) {
    // As the page says of versions before 1.25.1.
    const isOld = version.localeCompare("1.25.1", "en", { numeric: true }) < 0 && configuration.includes("http2 on;");
    const server = replace(
      isOld ? replace(configuration, [" ssl;", " ssl http2;"], ["http2 on;", ""]) : configuration,
      ["listen 443", `listen 127.0.0.1:${port}`],
    );
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    return {
      args: ["-p", home, "-c", "nginx.conf", "-e", "stderr"],
      files: {
        "nginx.conf": `daemon off;
master_process off;
pid nginx.pid;
events {}
http {
  access_log off;
  ${temporary.map((each) => `${each}_temp_path ${each};`).join(" ")}
  ssl_certificate ${tls}/host.pem;
  ssl_certificate_key ${tls}/host.key;
  ${server}
}
`,
      },
    };
  },
  Apache(configuration, { program, home, port }) {
    const lib = path.resolve(realpathSync(program), "../../");
    const modules = ["lib/apache2/modules", "lib64/httpd/modules", "lib/httpd/modules", "libexec/apache2"]
      .map((each) => path.join(lib, each))
      .find(existsSync);
    // Some are part of the program, which ones differs.
    const loaded = ["mpm_event", "unixd", "authz_core", "ssl", "headers", "proxy", "proxy_http"]
      .map((each) => [each, path.join(modules ?? "", `mod_${each}.so`)] as const)
      .filter(([, file]) => existsSync(file));
    return {
      args: ["-X", "-d", home, "-f", "apache.conf"],
      files: {
        "apache.conf": `${loaded.map(([each, file]) => `LoadModule ${each}_module ${file}`).join("\n")}
Listen 127.0.0.1:${port}
ServerName parley.example.com
PidFile apache.pid
DefaultRuntimeDir ${home}
ErrorLog error.log
${process.getuid?.() === 0 ? 'User "#65534"\nGroup "#65534"' : ""}
${replace(configuration, ["*:443", `*:${port}`]).replace("SSLEngine on", `$&\n  SSLCertificateFile ${tls}/host.pem\n  SSLCertificateKeyFile ${tls}/host.key`)}`,
      },
    };
  },
  Caddy: (configuration, { home, port }) => ({
    args: ["run", "--config", path.join(home, "Caddyfile")],
    files: {
      Caddyfile: `{
  admin off
  auto_https disable_redirects
  default_bind 127.0.0.1
  https_port ${port}
  local_certs
  skip_install_trust
  persist_config off
}
${configuration}`,
    },
  }),
  Traefik: (configuration, { home, port }) => ({
    args: [`--configfile=${path.join(home, "traefik.yaml")}`],
    files: {
      "dynamic.yaml": configuration,
      "traefik.yaml": `global:
  checkNewVersion: false
  sendAnonymousUsage: false
providers:
  file:
    filename: ${path.join(home, "dynamic.yaml")}
${replace(traefikEntryPoints(), ['":443"', `"127.0.0.1:${port}"`])}`,
    },
  }),
};

/**
 * The real program with a configuration of docs/proxies.md, in front of Parley; ready when Parley answers through it.
 * @param parley address of Parley, with the base path where it has one
 */
export async function startProxy(name: ProxyName, variant: Variant, parley: string): Promise<RunningProxy> {
  const program = findProgram(name);
  if (program === undefined)
    throw new Error(`${name} is neither in ${folder} nor on this machine: see scripts/test/install-proxies.sh`);
  const { host: upstream, pathname } = new URL(parley);
  const home = mkdtempSync(path.join(tmpdir(), "parley-proxy-"));
  const env = { ...process.env, ...libraryPath(program), HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const port = await findFreePort();
  const version = versionOf(name, program, env);
  const configuration = replace(configurationOf(name, variant), ["127.0.0.1:8080", upstream]);
  const { files, args } = launches[name](configuration, { program, version, home, port });
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(home, file), text);
  const child = spawn(program, args, { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (output += bytes.toString()));
  const [host = ""] = /\w+\.example\.com/.exec(configuration) ?? [];
  const origin = `${variant === "stock, http" ? "http" : "https"}://${host}:${port}`;
  const stop = async () => {
    await end(child);
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await untilReady(`${origin}${pathname.replace(/\/$/, "")}/health`, child);
  } catch (error) {
    const errors = path.join(home, "error.log");
    output += existsSync(errors) ? readFileSync(errors, "utf8") : "";
    await stop();
    throw new Error(`${name} does not answer:\n${output}\n${Object.values(files).join("\n")}`, { cause: error });
  }
  return { origin, stop };
}

/** Programs that were unpacked beside the system find their libraries there. */
function libraryPath(program: string): NodeJS.ProcessEnv {
  if (folder === undefined || !program.startsWith(folder)) return {};
  const places = ["usr/lib", "lib"].map((place) => path.join(folder, place)).filter(existsSync);
  const libraries = places.flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.endsWith("-linux-gnu"))
      .map((name) => path.join(place, name)),
  );
  return { LD_LIBRARY_PATH: libraries.join(path.delimiter) };
}

function versionOf(name: ProxyName, program: string, env: NodeJS.ProcessEnv): string {
  const flags = { nginx: "-v", Apache: "-v", Caddy: "version", Traefik: "version" };
  // nginx writes it to stderr.
  const said = execFileSync("/bin/sh", ["-c", '"$0" "$1" 2>&1', program, flags[name]], { env, encoding: "utf8" });
  return /\d+\.\d+\.\d+/.exec(said)?.[0] ?? "";
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const until = performance.now() + readyLimit;
  for (;;) {
    const status = await askThrough(url).then(
      (answer) => answer.resume().statusCode,
      (error: Error) => error.message,
    );
    if (status === 200) return;
    if (child.exitCode !== null || performance.now() > until) throw new Error(`Asked for ${url}: ${status}`);
    await wait(50);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

export interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
  /** Address of this machine that the request comes from. */
  from?: string;
}

/** A request of a program that is no browser, by the name of the proxy. */
export async function askThrough(url: string, { method = "GET", headers, body, from }: AskOptions = {}) {
  const ask = url.startsWith("https:") ? askSecure : askPlain;
  const request = ask(url, {
    method,
    headers: { ...headers, ...(body ? { "content-type": "application/json" } : {}) },
    localAddress: from,
    rejectUnauthorized: false,
    agent: false,
    family: 4,
    lookup: (_name, _options, found) => found(null, "127.0.0.1", 4),
  });
  request.end(body && JSON.stringify(body));
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return answer;
}
