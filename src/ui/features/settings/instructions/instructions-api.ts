import { api } from "../../../lib/api.ts";
import { isRecord } from "../../../lib/live/live-state.ts";

const address = "/api/v1/users/user/settings";

interface OwnSettings {
  ui?: unknown;
}

/** The person's instructions for all of their chats (`ui.system`, as Open WebUI stores them). */
export async function loadInstructions(signal?: AbortSignal): Promise<string> {
  const { ui } = await api<OwnSettings>("GET", address, { signal });
  const stored = isRecord(ui) ? ui["system"] : undefined;
  return typeof stored === "string" ? stored : "";
}

/** The rest of `ui` belongs to other pages and clients, and stays. */
export async function storeInstructions(system: string): Promise<void> {
  const { ui } = await api<OwnSettings>("GET", address);
  await api("POST", `${address}/update`, { body: { ui: { ...(isRecord(ui) ? ui : {}), system } } });
}
