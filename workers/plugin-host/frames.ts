import type {
  Described,
  PluginCode,
  PluginFailureCode,
  PluginLog,
  PluginPackage,
  PluginTraffic,
} from "../../src/plugins/plugin-host.ts";

/**
 * The frames between service and plugin host over one WebSocket: text frames are JSON of these, binary frames are
 * pieces of packages. A session begins with `open` or `describe`. Fields named `json` are passed on unparsed.
 */
export type FrameToHost =
  | ({ t: "open" } & Pick<PluginCode, "plugin" | "fingerprint" | "language" | "hosts" | "budget">)
  | { t: "describe"; source: string; packages: PackageFacts[] }
  /** The answer to `need`. */
  | { t: "code"; code: string; valves: Record<string, unknown>; packages: PackageFacts[] }
  | { t: "no-code"; message: string }
  | { t: "no-bytes"; sha256: string; message: string }
  /** @see IsolateCall for `json` */
  | { t: "call"; id: number; json: string }
  /** The caller has let go. */
  | { t: "end"; id: number }
  | { t: "answer"; id: number; ref: number; json: string }
  | { t: "refusal"; id: number; ref: number; message: string };

export type FrameToService =
  /** No isolate is warm: the code is wanted. */
  | { t: "need" }
  | { t: "need-bytes"; sha256: string }
  /** `rest`: the function has answered `json` (an IsolateResult), and what it left running would go on; the answer is how many ms it may. */
  | { t: "ask"; id: number; ref: number; kind: "emit" | "call" | "chunk" | "rest"; json: string }
  | { t: "ask"; id: number; ref: number; kind: "request"; name: string; json: string }
  /** The plugin's own code begins: from now on the call may have done something. */
  | { t: "begun"; id: number }
  | { t: "log"; id: number; level: PluginLog["level"]; text: string }
  /** What the plugin did since it was told last, before the end of a call. */
  | { t: "traffic"; traffic: PluginTraffic }
  /** Nothing of the call goes on. After a `rest` that was allowed, it only says that. @see IsolateResult for `json` */
  | { t: "result"; id: number; json: string }
  /** There is no result, because of what went on around the plugin. */
  | { t: "failed"; id: number; code: PluginFailureCode; message: string }
  | { t: "described"; described: Described };

export type PackageFacts = Omit<PluginPackage, "bytes">;

/** The description of packages before their bytes are requested. */
export function factsOf(packages: readonly PluginPackage[]): PackageFacts[] {
  return packages.map(({ name, version, filename, sha256, contents }) => ({
    name,
    version,
    filename,
    sha256,
    contents,
  }));
}

/** Close codes: why the launcher or the host ended a socket. */
export const closeCodes = {
  /** The plugin's process was stopped for a loop or memory, or crashed. */
  stopped: 4001,
  /** The same, where several plugins of one owner shared the process: which of them it was is not known. */
  shared: 4003,
  /** The host stops or is replaced; the plugin is fine. */
  leaving: 4002,
} as const;

/** Maximum frame size, in bytes; the platform accepts 32 MiB. */
export const maxFrameBytes = 30_000_000;

/** Packages travel in pieces of this many bytes. */
const pieceSize = 8_000_000;
const hashLength = 64;

/** Binary frames: hash of the package in 64 hexadecimal digits, 1 for the last piece or 0, bytes. */
export function* cutPackage(sha256: string, bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at === 0 || at < bytes.length; at += pieceSize) {
    const piece = bytes.subarray(at, at + pieceSize);
    const frame = new Uint8Array(hashLength + 1 + piece.length);
    frame.set(new TextEncoder().encode(sha256));
    frame[hashLength] = at + pieceSize >= bytes.length ? 1 : 0;
    frame.set(piece, hashLength + 1);
    yield frame;
  }
}

export function readPiece(frame: Uint8Array): { sha256: string; isLast: boolean; bytes: Uint8Array } {
  return {
    sha256: new TextDecoder().decode(frame.subarray(0, hashLength)),
    isLast: frame[hashLength] === 1,
    bytes: frame.subarray(hashLength + 1),
  };
}
