import { joinBytes } from "../../src/lib/join-bytes.ts";
import type { PluginPackage } from "../../src/plugins/plugin-host.ts";
import { type PackageFacts, readPiece } from "./frames.ts";

interface Waiting {
  pieces: Uint8Array[];
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
}

/** Packages being transferred from the service to a session of the host. */
export class PackageInbox {
  readonly #ask: (sha256: string) => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #known = new Map<string, Promise<Uint8Array>>();

  constructor(ask: (sha256: string) => void) {
    this.#ask = ask;
  }

  /** Packages whose bytes are fetched when they are asked for, once. */
  open(facts: readonly PackageFacts[]): PluginPackage[] {
    return facts.map((fact) => ({ ...fact, bytes: () => this.#fetch(fact.sha256) }));
  }

  #fetch(sha256: string): Promise<Uint8Array> {
    let bytes = this.#known.get(sha256);
    if (!bytes) {
      bytes = new Promise((resolve, reject) => this.#waiting.set(sha256, { pieces: [], resolve, reject }));
      this.#known.set(sha256, bytes);
      this.#ask(sha256);
    }
    return bytes;
  }

  take(frame: Uint8Array): void {
    const { sha256, isLast, bytes } = readPiece(frame);
    const waiting = this.#waiting.get(sha256);
    if (!waiting) return;
    waiting.pieces.push(bytes);
    if (!isLast) return;
    this.#waiting.delete(sha256);
    waiting.resolve(joinBytes(waiting.pieces));
  }

  refuse(sha256: string, message: string): void {
    this.#waiting.get(sha256)?.reject(new Error(message));
    this.#waiting.delete(sha256);
  }

  close(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error("The session has ended"));
    this.#waiting.clear();
  }
}
