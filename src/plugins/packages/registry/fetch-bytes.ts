import { AppError } from "../../../errors.ts";
import { readBytes } from "../../../http/byte-reader.ts";
import { joinBytes } from "../../../lib/join-bytes.ts";
import { realTimers, watchIdle } from "../../../lib/timers.ts";
import { networkFailure } from "../../../upstream/errors/network-failure.ts";
import { sha256Hex } from "../sha256-hex.ts";

/** A registry that sends nothing for so long is given up, milliseconds. */
const maxSilenceMs = 30_000;

export interface Fetching {
  /** Addresses of registries come from outside, and so do those that they name. */
  guarded: typeof fetch;
  signal: AbortSignal;
}

export interface Expected {
  /** Most bytes that are read. */
  maxBytes: number;
  /** Exactly so many; null where nobody said. */
  size?: number | null;
  /** Hexadecimal. */
  sha256?: string | undefined;
  accept?: string;
  onBytes?: (count: number) => void;
}

export interface Fetched {
  /** Of the last redirect. */
  address: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Thrown when the bytes are not those that were promised: another try is of no use. */
export class BrokenPromise extends AppError {
  constructor(message: string) {
    super("upstream_invalid_answer", message);
  }
}

/**
 * Fetches a file of a registry, and checks what was said of it while it arrives.
 * @returns undefined where there is none (404, 410)
 * @throws BrokenPromise; AppError `upstream_unreachable`, `upstream_timeout`, `address_not_allowed`
 */
export async function fetchBytes(
  { guarded, signal }: Fetching,
  address: string,
  { maxBytes, size, sha256: hash, accept = "*/*", onBytes }: Expected,
): Promise<Fetched | undefined> {
  const { host, pathname } = new URL(address);
  const name = pathname.split("/").findLast((part) => part !== "") ?? host;
  const silence = new AbortController();
  const watch = watchIdle(realTimers, maxSilenceMs, () => silence.abort(new Error("timed out")));
  try {
    const response = await guarded(address, {
      headers: { accept, "user-agent": "Parley" },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      if (response.status === 404 || response.status === 410) return undefined;
      throw new AppError("upstream_unreachable", `${host} answered ${response.status} to ${name}`);
    }
    const limit = Math.min(maxBytes, size ?? maxBytes);
    const parts: Uint8Array[] = [];
    let length = 0;
    const reader = readBytes(response.body as ReadableStream<Uint8Array>);
    for (;;) {
      const { done, value } = await reader.read();
      if (done || !value) break;
      watch.touch();
      length += value.length;
      if (length > limit) {
        void reader.cancel().catch(() => undefined);
        throw new BrokenPromise(
          typeof size === "number" && limit === size
            ? `${name} is longer than ${host} said`
            : `${name} of ${host} has more than ${maxBytes / 1_000_000} MB`,
        );
      }
      parts.push(value);
      onBytes?.(value.length);
    }
    if (typeof size === "number" && length !== size) throw new BrokenPromise(`${name} is shorter than ${host} said`);
    const bytes = joinBytes(parts);
    if (hash !== undefined && (await sha256Hex(bytes)) !== hash)
      throw new BrokenPromise(`${name} is not the file that ${host} promised: its SHA-256 is another one`);
    return { address: response.url || address, bytes };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (silence.signal.aborted || signal.aborted)
      throw new AppError("upstream_timeout", `${host} did not answer in time`);
    throw new AppError("upstream_unreachable", `${host} could not be reached`, { cause: networkFailure(error) });
  } finally {
    watch.stop();
  }
}
