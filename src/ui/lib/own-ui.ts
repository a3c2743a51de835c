import { api } from "./api.ts";
import { isRecord } from "./live/live-state.ts";

const address = "/api/v1/users/user/settings";

async function load(signal?: AbortSignal): Promise<Record<string, unknown>> {
  const { ui } = await api<{ ui?: unknown }>("GET", address, { signal });
  return isRecord(ui) ? ui : {};
}

/** What clients of Open WebUI keep about the person, by its names (`settings.ui`). */
export const loadOwnUi = load;

let last: Promise<unknown> = Promise.resolve();

/**
 * Changes some of it; the rest belongs to other clients, and stays. One change at a time, because the service takes the
 * whole.
 */
export function storeOwnUi(change: Readonly<Record<string, unknown>>): Promise<void> {
  const stored = last
    .catch(() => undefined)
    .then(async () => {
      await api("POST", `${address}/update`, { body: { ui: { ...(await load()), ...change } } });
    });
  last = stored;
  return stored;
}
