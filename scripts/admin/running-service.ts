import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseKeyRing } from "../../src/lib/key-ring.ts";
import { createTokenSigner } from "../../src/people/auth/tokens.ts";
import { signOperatorToken } from "../../src/people/operator/operator-token.ts";
import type { TokenSigner } from "../../src/ports.ts";
import type { StoredRing } from "../launch/data-folder.ts";
import { askHolder } from "../launch/instance-lock.ts";
import { StartError } from "../launch/start-error.ts";

/** Asks a service that runs, as its operator. */
export interface RunningService {
  /** @throws StartError with what the service says, if it refuses */
  post<T>(route: string, body: unknown): Promise<T>;
  /** @throws StartError likewise */
  get<T>(route: string): Promise<T>;
}

/**
 * Finds the service that runs on a data folder, or takes the given address with the ring of PARLEY_SECRET_KEYS.
 * @throws StartError when there is none, or no keys for it
 */
export async function findService(dataDir: string, address?: string): Promise<RunningService> {
  const base = address ?? (await findAddress(dataDir));
  const ring = process.env["PARLEY_SECRET_KEYS"]?.trim() || readRing(dataDir);
  return connectService(base, ring);
}

/**
 * The service at an address.
 * @param ring its keys, as JSON text
 */
export function connectService(base: string, ring: string): RunningService {
  const { current, keys } = JSON.parse(ring) as StoredRing;
  // A service that runs since before the last rotation does not know the newest key yet.
  const names = [
    current,
    ...Object.keys(keys)
      .filter((name) => name !== current)
      .toReversed(),
  ];
  const signers = names.map((name) => createTokenSigner(parseKeyRing(JSON.stringify({ current: name, keys }))));
  const send = async (signer: TokenSigner, route: string, init: RequestInit) => {
    const token = await signOperatorToken(signer, Math.floor(Date.now() / 1000));
    return fetch(`${base.replace(/\/+$/, "")}/api/v1/operator/${route}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    }).catch((error: unknown) => {
      throw new StartError(`${base} cannot be reached (${(error as Error).message}).`, "unavailable");
    });
  };
  async function ask<T>(route: string, init: RequestInit): Promise<T> {
    for (const signer of signers) {
      const response = await send(signer, route, init);
      if (response.status === 401) {
        await response.body?.cancel();
        continue;
      }
      const answer = (await response.json().catch(() => ({}))) as T & { detail?: unknown };
      if (response.ok) return answer;
      const said = typeof answer.detail === "string" ? answer.detail : response.statusText;
      throw new StartError(`${said.replace(/\.$/, "")}.`, response.status < 500 ? "data" : "unavailable");
    }
    throw new StartError(
      `${base} does not accept these keys. Set PARLEY_SECRET_KEYS as the service has it.`,
      "noPermission",
    );
  }
  return {
    post: (route, body) => ask(route, { method: "POST", body: JSON.stringify(body) }),
    get: (route) => ask(route, {}),
  };
}

export async function findAddress(dataDir: string): Promise<string> {
  const holder = await askHolder(dataDir);
  const found = holder?.match(/https?:\/\/\S+/)?.[0];
  if (found !== undefined) return found.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
  throw new StartError(
    `Parley does not run on ${dataDir}. Start it first, set DATA to its data folder, or name its address with --url.`,
    "unavailable",
  );
}

function readRing(dataDir: string): string {
  const file = path.join(dataDir, "secrets.json");
  try {
    const { PARLEY_SECRET_KEYS: ring } = JSON.parse(readFileSync(file, "utf8")) as { PARLEY_SECRET_KEYS?: string };
    if (ring !== undefined) return ring;
  } catch {
    // Told below.
  }
  throw new StartError(
    `${file} cannot be read. Run this as the user who runs Parley, or set PARLEY_SECRET_KEYS.`,
    "noInput",
  );
}
