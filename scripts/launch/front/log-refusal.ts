import { logEntry } from "../say.ts";
import { codeOf, type Refusal } from "./refusal.ts";

/** A line of the access log, as the service writes them for what comes to it (src/http/access-log.ts). */
export function logRefusal(refusal: Refusal, address: string | undefined, requestId: string): void {
  logEntry({
    time: new Date().toISOString(),
    level: "info",
    part: "launcher",
    message: "request refused",
    status: refusal.status,
    code: codeOf(refusal),
    client: address ?? null,
    request_id: requestId,
  });
}
