import type { BuiltWorker } from "../runtime-plan.ts";
import { compileLoneWorker } from "../workerd/compile-config.ts";

/** Several times what a document may take on the edge; what outgrows it ends the process before the machine suffers. */
const usualFlags = ["--max-semi-space-size=8", "--max-old-space-size=400"];

/** The configuration of one process of the extractor. @param scratch folder for its text */
export function compileExtractorConfig(
  worker: BuiltWorker,
  scratch: string,
  v8Flags: readonly string[] = usualFlags,
): Promise<Buffer> {
  return compileLoneWorker("extractor", worker, scratch, v8Flags);
}
