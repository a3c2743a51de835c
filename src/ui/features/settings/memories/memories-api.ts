import type { MemoryType, MemoryView } from "../../../../memories/schema.ts";
import { api } from "../../../lib/api.ts";
import { loadOwnUi, storeOwnUi } from "../../../lib/own-ui.ts";

const base = "/api/v1/memories";

/** The person's memories, last changed first. */
export function listMemories(signal?: AbortSignal): Promise<MemoryView[]> {
  return api("GET", `${base}/`, { signal });
}

/** What a person says of a memory. */
export interface MemoryEntries {
  content: string;
  type: MemoryType;
  path: string | null;
}

export function addMemory(entries: MemoryEntries): Promise<MemoryView> {
  return api("POST", `${base}/add`, { body: entries });
}

export function changeMemory(id: string, { path, ...entries }: MemoryEntries): Promise<MemoryView> {
  return api("POST", `${base}/${encodeURIComponent(id)}/update`, { body: { ...entries, path: path ?? "" } });
}

export function deleteMemory(id: string): Promise<unknown> {
  return api("DELETE", `${base}/${encodeURIComponent(id)}`);
}

export function deleteMemories(): Promise<unknown> {
  return api("DELETE", `${base}/delete/user`);
}

/** The person's two switches. */
export interface MemorySwitches {
  /** Models get memories. */
  memory: boolean;
  /** Models may add some. */
  memoryTool: boolean;
}

export async function loadSwitches(signal?: AbortSignal): Promise<MemorySwitches> {
  const stored = await loadOwnUi(signal);
  return { memory: stored["memory"] !== false, memoryTool: stored["memoryTool"] === true };
}

export const storeSwitches = (change: Partial<MemorySwitches>): Promise<void> => storeOwnUi(change);
