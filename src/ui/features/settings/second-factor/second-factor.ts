import type { FactorSecret, OwnFactor, RecoveryCodeList } from "../../../../people/auth/second-factor/schema.ts";
import { api } from "../../../lib/api.ts";

export type { FactorSecret, OwnFactor };

const base = "/api/v1/auths/second_factor";

export const loadFactor = (signal?: AbortSignal): Promise<OwnFactor> => api("GET", base, { signal });

export const startFactor = (password: string): Promise<FactorSecret> =>
  api("POST", `${base}/start`, { body: { password } });

const codes = async (path: string, code: string): Promise<string[]> =>
  (await api<RecoveryCodeList>("POST", `${base}/${path}`, { body: { code } })).recovery_codes;

export const confirmFactor = (code: string): Promise<string[]> => codes("confirm", code);

export const renewCodes = (code: string): Promise<string[]> => codes("recovery_codes", code);

export const removeFactor = (code: string): Promise<unknown> => api("POST", `${base}/remove`, { body: { code } });

/** A QR code as the `d` of an SVG path, drawn in this browser: the secret goes nowhere. */
export async function drawCode(text: string): Promise<{ size: number; path: string }> {
  const { encode } = await import("uqr");
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { size, path };
}
