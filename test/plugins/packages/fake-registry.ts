import { createHash } from "node:crypto";
import { createGuardedFetch } from "../../../src/http/guarded-fetch.ts";
import { makeWheel } from "../wheels.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What a package of the fake registry has; what is not given is as it should be. */
export interface FakePackage {
  name: string;
  version: string;
  requires?: string[];
  files?: Record<string, string>;
  /** Lines of its METADATA. */
  headers?: string[];
  tag?: string;
  /** Changes the entry of its file on the page of the project. */
  entry?: Record<string, unknown>;
  /** Served instead of the wheel. */
  bytes?: Bytes;
  /** Whether METADATA is served alone (PEP 658). */
  hasMetadata?: boolean;
}

export const registryAddress = "https://registry.example/simple/";
export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A registry in memory with the simple API in JSON (PEP 691 and 700). Everything else on the network is 404. */
export function createFakeRegistry() {
  const projects = new Map<string, Record<string, unknown>[]>();
  /** Answers by address, before all else. */
  const served = new Map<string, () => Response | Promise<Response>>();
  const files = new Map<string, Bytes>();
  const asked: string[] = [];

  function publish({ name, version, requires = [], headers = [], tag = "py3-none-any", ...rest }: FakePackage) {
    const metadata = [
      "Metadata-Version: 2.4",
      `Name: ${name}`,
      `Version: ${version}`,
      ...headers,
      ...requires.map((each) => `Requires-Dist: ${each}`),
      "",
      "Text",
    ].join("\n");
    const wheel = makeWheel(name, version, rest.files, metadata);
    const filename = `${name.replaceAll(/[-.]+/g, "_")}-${version}-${tag}.whl`;
    const url = `https://files.registry.example/${filename}`;
    const text = new Uint8Array(new TextEncoder().encode(metadata));
    files.set(url, rest.bytes ?? wheel);
    if (rest.hasMetadata !== false) files.set(`${url}.metadata`, text);
    const key = name.toLowerCase().replaceAll(/[-_.]+/g, "-");
    const entry = {
      filename,
      url,
      hashes: { sha256: sha256(wheel) },
      size: wheel.length,
      "requires-python": ">=3.8",
      yanked: false,
      "core-metadata": rest.hasMetadata === false ? false : { sha256: sha256(text) },
      ...rest.entry,
    };
    projects.set(key, [...(projects.get(key) ?? []), entry]);
    return { wheel, url, filename };
  }

  async function answer(address: string): Promise<Response> {
    asked.push(address);
    const special = served.get(address);
    if (special) return special();
    const name = address.startsWith(registryAddress) ? address.slice(registryAddress.length, -1) : "";
    const entries = projects.get(name);
    if (entries)
      return Response.json(
        { meta: { "api-version": "1.4" }, name, files: entries },
        { headers: { "content-type": "application/vnd.pypi.simple.v1+json" } },
      );
    const bytes = files.get(address);
    return bytes ? new Response(bytes) : new Response("none", { status: 404 });
  }
  const publicFetch = (async (input: string | URL | Request) =>
    answer(input instanceof Request ? input.url : String(input))) as typeof fetch;
  return {
    publish,
    served,
    files,
    asked,
    /** Through the guard, as the service goes out. */
    guarded: createGuardedFetch(publicFetch, publicFetch, []),
  };
}
