import path from "node:path";
import type { BuiltWorker } from "../runtime-plan.ts";
import { compileConfig, list, quote, workerFields } from "../workerd/compile-config.ts";

/** Several times what a document may take on the edge; what outgrows it ends the process before the machine suffers. */
const usualFlags = ["--max-semi-space-size=8", "--max-old-space-size=400"];

/**
 * The configuration of one process of the extractor: code, and nothing else. Name of its socket: `http`.
 * @param scratch folder for its text
 */
export function compileExtractorConfig(
  worker: BuiltWorker,
  scratch: string,
  v8Flags: readonly string[] = usualFlags,
): Promise<Buffer> {
  const text = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "extractor", worker = (
      ${workerFields(worker)},
      globalOutbound = "nowhere")),
    (name = "nowhere", network = (allow = [])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "extractor")],
  v8Flags = ${list(v8Flags.map(quote))},
  structuredLogging = true,
);
`;
  return compileConfig(path.join(scratch, "extractor.capnp"), text);
}
