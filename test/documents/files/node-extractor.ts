import type { Extractor } from "../../../src/documents/files/extraction/extractor.ts";
import extractor from "../../../workers/extractor/main.ts";
import { createExtractor } from "../../../workers/ports/extractor-client.ts";

/** The extractor's own code in this process, behind the client that the service uses. */
export function createNodeExtractor(): Extractor {
  const fetch = async (url: string, init: RequestInit) =>
    extractor.fetch(new Request(url, { ...init, duplex: "half" } as RequestInit));
  return createExtractor({ EXTRACTOR: { fetch } as never });
}
