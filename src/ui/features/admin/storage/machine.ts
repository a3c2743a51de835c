import type { MachineReport } from "../../../../machine/schema.ts";
import { toApiError } from "../../../lib/api-error.ts";
import { api } from "../../../lib/api.ts";

export type { MachineReport };

/** Null on the edge, where the platform keeps the data. */
export async function getMachine(signal?: AbortSignal): Promise<MachineReport | null> {
  try {
    return await api<MachineReport>("GET", "/api/v1/machine", { signal });
  } catch (cause) {
    if (toApiError(cause).code === "not_found") return null;
    throw cause;
  }
}

export const startBackup = (): Promise<unknown> => api("POST", "/api/v1/machine/backups");
