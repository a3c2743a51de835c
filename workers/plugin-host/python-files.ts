import { WorkerEntrypoint } from "cloudflare:workers";
import type { HostEnv } from "./env.ts";

/** What an interpreter reads when it starts: large, so it does not come as modules, of which each isolate would keep a copy. */
const offered = new Set(["/snapshot.gz", "/python_stdlib.zip"]);

/** The way of Python isolates to their own large files, and to nothing else. */
export class PythonFiles extends WorkerEntrypoint<HostEnv> {
  override async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method !== "GET" || !offered.has(pathname)) return new Response(null, { status: 404 });
    return this.env.PYTHON_ASSETS.fetch(`http://assets${pathname}`);
  }
}
