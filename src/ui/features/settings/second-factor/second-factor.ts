import type { AddedPasskey, CreationOptions, Passkey } from "../../../../people/auth/passkeys/schema.ts";
import type { FactorSecret, OwnFactor, RecoveryCodeList } from "../../../../people/auth/second-factor/schema.ts";
import { api } from "../../../lib/api.ts";

export type { FactorSecret, OwnFactor, Passkey };

const base = "/api/v1/auths/second_factor";

export const loadFactor = (signal?: AbortSignal): Promise<OwnFactor> => api("GET", base, { signal });

export const startFactor = (password: string): Promise<FactorSecret> =>
  api("POST", `${base}/start`, { body: { password } });

const codes = async (path: string, body: { code: string } | { password: string }): Promise<string[]> =>
  (await api<RecoveryCodeList>("POST", `${base}/${path}`, { body })).recovery_codes;

export const confirmFactor = (code: string): Promise<string[]> => codes("confirm", { code });

export const renewCodes = (proof: { code: string } | { password: string }): Promise<string[]> =>
  codes("recovery_codes", proof);

export const removeFactor = (code: string): Promise<unknown> => api("POST", `${base}/remove`, { body: { code } });

const passkeyBase = "/api/v1/auths/passkeys";
const onePasskey = (id: string): string => `${passkeyBase}/${encodeURIComponent(id)}`;

/** Has the browser make a passkey, and stores it. */
export async function addPasskey(name: string, password: string): Promise<AddedPasskey> {
  const options = await api<CreationOptions>("POST", `${passkeyBase}/start`, { body: { password } });
  const { makePasskey } = await import("../../../lib/passkeys/ceremonies.ts");
  return api("POST", passkeyBase, { body: { name, credential: await makePasskey(options) } });
}

export const renamePasskey = (id: string, name: string): Promise<Passkey> =>
  api("PATCH", onePasskey(id), { body: { name } });

export const removePasskey = (id: string, password: string): Promise<unknown> =>
  api("POST", `${onePasskey(id)}/remove`, { body: { password } });

/** A QR code as the `d` of an SVG path, drawn in this browser: the secret goes nowhere. */
export async function drawCode(text: string): Promise<{ size: number; path: string }> {
  const { encode } = await import("uqr");
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { size, path };
}
