import { api } from "./api.ts";
import { inOrder } from "./in-order.ts";
import { isRecord } from "./live/live-state.ts";

const address = "/api/v1/users/user/settings";

async function load(signal?: AbortSignal): Promise<Record<string, unknown>> {
  const { ui } = await api<{ ui?: unknown }>("GET", address, { signal });
  return isRecord(ui) ? ui : {};
}

const inTurn = inOrder();

/** What clients of Open WebUI keep about the person, by its names (`settings.ui`), with all that was changed here before. */
export const loadOwnUi = (signal?: AbortSignal): Promise<Record<string, unknown>> => inTurn(() => load(signal));

/**
 * Changes some of it; the rest belongs to other clients, and stays. One change at a time, because the service takes the
 * whole.
 */
export function storeOwnUi(change: Readonly<Record<string, unknown>>): Promise<void> {
  return inTurn(async () => {
    await api("POST", `${address}/update`, { body: { ui: { ...(await load()), ...change } } });
  });
}
