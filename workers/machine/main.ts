import { WorkerEntrypoint } from "cloudflare:workers";
import type { UiFiles } from "../../scripts/launch/ui-files.ts";

/**
 * What the platform is on the edge, for one machine: all that stands around the service in its process, in one isolate. The launcher
 * hands it to the runtime as it is, without its types (scripts/launch/runtime-config.ts), so it imports nothing but types.
 */
interface Env {
  SERVICE: Pick<Fetcher, "fetch"> & {
    scheduled(options: { cron: string; scheduledTime: Date }): Promise<{ outcome: string }>;
    queue(queue: string, messages: unknown[]): Promise<unknown>;
  };
  /** The public network; absent where nothing may leave. */
  NET?: Fetcher;
  EVERYWHERE: Fetcher;
  /** Takes all requests to providers where nothing may leave. */
  PROVIDER?: Fetcher;
  /** Origin of the database. */
  DATABASE?: string;
  UI: UiFiles;
  /** Folder of the UI. */
  UI_FOLDER: Fetcher;
  BUCKETS: DurableObjectNamespace;
}

/** Of its own private socket: the launcher says which cron is due, and is told how it went. */
export class Timer extends WorkerEntrypoint<Env> {
  override async fetch(request: Request): Promise<Response> {
    const cron = new URL(request.url).searchParams.get("cron") ?? "";
    const { outcome } = await this.env.SERVICE.scheduled({ cron, scheduledTime: new Date() });
    return new Response(outcome, { status: outcome === "ok" ? 200 : 500 });
  }
}

/**
 * Behind every plain `fetch` of the service. Its only way out is a network that refuses private, loopback and link-local addresses
 * after names are resolved, so that no name can be pointed at one later. workerd does not tell a refused address from a name that
 * does not exist or a host that does not answer: all are the same 502, with the header that src's outbound guard knows.
 */
export class Egress extends WorkerEntrypoint<Env> {
  override async fetch(request: Request): Promise<Response> {
    const { NET } = this.env;
    if (NET === undefined) return refused("Nothing leaves a copy that is tried out.");
    try {
      return await NET.fetch(request);
    } catch {
      return refused("This address cannot be reached or is not allowed.");
    }
  }
}

function refused(why: string): Response {
  return new Response(why, { status: 502, headers: { "x-parley-egress": "unreachable" } });
}

/** Behind TRUSTED where nothing may leave: the database of this machine, and for all else one address. */
export class Aside extends WorkerEntrypoint<Env> {
  override fetch(request: Request): Promise<Response> {
    const { DATABASE, EVERYWHERE, PROVIDER } = this.env;
    return (new URL(request.url).origin === DATABASE ? EVERYWHERE : PROVIDER!).fetch(request);
  }
}

/**
 * Each message is delivered immediately and separately, as real queues do. Lost messages are found by the timer: a message only says
 * that there is work.
 */
export class Queue extends WorkerEntrypoint<Env, { queue: string }> {
  send(body: unknown, options?: { delaySeconds?: number }): void {
    this.ctx.waitUntil(this.#deliver(body, options?.delaySeconds ?? 0));
  }

  async #deliver(body: unknown, delaySeconds: number): Promise<void> {
    if (delaySeconds > 0) await scheduler.wait(delaySeconds * 1000);
    const message = { id: crypto.randomUUID(), timestamp: new Date(), body, attempts: 1 };
    await this.env.SERVICE.queue(this.ctx.props.queue, [message]);
  }
}

/** The runtime's requests to a bucket, for the object that keeps it. */
export class Bucket extends WorkerEntrypoint<Env, { bucket: string }> {
  override fetch(request: Request): Promise<Response> {
    const name = this.ctx.props.bucket;
    // The object reads its name there.
    const cf = { miniflare: { name } } as unknown as RequestInitCfProperties;
    return this.env.BUCKETS.getByName(name).fetch(request, { cf });
  }
}

/** The files of the UI, with addresses and headers as the edge gives them. */
export class Files extends WorkerEntrypoint<Env> {
  override async fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const found = this.#find(decoded(pathname));
    const response = await this.#answer(request, found, search);
    this.#setHeaders(pathname, response.headers);
    return response;
  }

  async #answer(request: Request, found: Found, search: string): Promise<Response> {
    if (found === undefined) return new Response(null, { status: 404 });
    if (request.method !== "GET" && request.method !== "HEAD") return new Response(null, { status: 405 });
    if ("moved" in found) return new Response(null, { status: 307, headers: { location: found.moved + search } });
    const { etag, type } = this.env.UI.files[found.file]!;
    const headers = new Headers({ etag: `"${etag}"`, "cache-control": "public, max-age=0, must-revalidate" });
    if (type !== null) headers.set("content-type", type);
    const known = request.headers.get("if-none-match");
    if (known === `"${etag}"` || known === `W/"${etag}"`) return new Response(null, { status: 304, headers });
    if (request.method === "HEAD") return new Response(null, { headers });
    const address = new URL(found.file.split("/").map(encodeURIComponent).join("/"), "http://files");
    return new Response((await this.env.UI_FOLDER.fetch(address)).body, { headers });
  }

  /** Pages have addresses without `.html`, and the one of a folder is its `index.html`. */
  #find(pathname: string): Found {
    const { files } = this.env.UI;
    const has = (file: string) => Object.hasOwn(files, file);
    if (pathname.endsWith("/index.html") && has(pathname)) return { moved: pathname.slice(0, -"index.html".length) };
    if (pathname.endsWith(".html") && has(pathname)) return { moved: pathname.slice(0, -".html".length) };
    for (const file of [pathname.endsWith("/") ? `${pathname}index.html` : pathname, `${pathname}.html`])
      if (has(file)) return { file };
    return undefined;
  }

  /** As `_headers` says: rules in their order, each first removes and then sets, and adds to what one before it has set. */
  #setHeaders(pathname: string, headers: Headers): void {
    const isSet = new Set<string>();
    for (const { path, unset, set } of this.env.UI.headers) {
      const isFor = path.endsWith("*") ? pathname.startsWith(path.slice(0, -1)) : pathname === path;
      if (!isFor) continue;
      for (const name of unset) headers.delete(name);
      for (const [name, value] of set) {
        if (isSet.has(name)) headers.append(name, value);
        else headers.set(name, value);
        isSet.add(name);
      }
    }
  }
}

type Found = { file: string } | { moved: string } | undefined;

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
