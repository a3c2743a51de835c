import { session } from "../../lib/session.svelte.ts";

/** Whether channels are switched on and the person may use them. Where it is not told, the service decides. */
export function mayUseChannels(): boolean {
  return session.config.features["enable_channels"] !== false && session.may("features", "channels");
}
