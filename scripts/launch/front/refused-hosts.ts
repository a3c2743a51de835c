import { complain } from "../say.ts";
import { Refusal } from "./refusal.ts";

/** Callers choose the names. */
const maxTold = 20;
const told = new Set<string>();

/** Why the service does not answer for a host; the operator reads it once for each. */
export function refuseHost(host: string): Refusal {
  const message = `The service does not answer for ${host}. The variables WEBUI_URL and ALLOWED_HOSTS name its hosts: if people open it under this name, set one of them.`;
  if (!told.has(host) && told.size < maxTold) {
    told.add(host);
    complain(message);
  }
  return new Refusal(421, message);
}
