import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import {
  type ExportManifest,
  exportFormat,
  exportVersion,
  type KindEntry,
  manifestName,
  readManifest,
} from "../../src/shared/moving-in/parley/manifest.ts";
import { StartError } from "../launch/start-error.ts";
import { hashFile } from "./hash-file.ts";

/** How far one kind is. */
interface KindProgress {
  records: number;
  bytes: number;
  /** Of the next page; null at the end. Undefined before the first. */
  cursor: string | null | undefined;
}

/** What is in the manifest while the export is under way. */
interface ExportProgress {
  export_id: string;
  kinds: Record<string, KindProgress>;
}

type Begun = Omit<ExportManifest, "format" | "version" | "complete" | "kinds">;

/**
 * The folder that an export is written into. What it has is always in its manifest before it counts: a run that was killed is continued by
 * the next.
 */
export class ExportFolder {
  readonly files: string;
  readonly #folder: string;
  #begun: Begun | undefined;
  #progress: ExportProgress | undefined;

  /**
   * A new or empty folder, or one with an export that has not ended.
   * @throws StartError for any other, in which nothing is changed
   */
  constructor(folder: string) {
    this.#folder = folder;
    this.files = path.join(folder, "files");
    if (existsSync(folder) && !statSync(folder).isDirectory())
      throw new StartError(`${folder} is not a folder.`, "cannotCreate");
    if (!existsSync(folder) || readdirSync(folder).length === 0) return;
    const file = path.join(folder, manifestName);
    const text = existsSync(file) && statSync(file).isFile() ? readFileSync(file, "utf8") : "";
    const read = readManifest(text);
    const progress = "manifest" in read ? (JSON.parse(text) as { progress?: ExportProgress }).progress : undefined;
    if ("reason" in read || (!read.manifest.complete && !progress))
      throw new StartError(`${folder} is not empty, and has no export: choose another folder.`, "cannotCreate");
    if (read.manifest.complete)
      throw new StartError(`${folder} already has a complete export: choose another folder.`, "cannotCreate");
    const { format: _format, version: _version, complete: _complete, kinds: _kinds, ...begun } = read.manifest;
    this.#begun = begun;
    this.#progress = progress;
  }

  /** The export that is under way; undefined for a new one. */
  get begun(): (Begun & { exportId: string }) | undefined {
    return this.#begun && { ...this.#begun, exportId: this.#progress!.export_id };
  }

  begin(exportId: string, begun: Begun): void {
    mkdirSync(this.files, { recursive: true, mode: 0o700 });
    this.#begun = begun;
    this.#progress = { export_id: exportId, kinds: {} };
    this.#writeManifest(false, []);
  }

  /** How far a kind is. What was written after that is taken away. */
  open(kind: string): KindProgress {
    mkdirSync(this.files, { recursive: true, mode: 0o700 });
    const known = this.#progress!.kinds[kind];
    const file = this.fileOf(kind);
    const size = existsSync(file) ? statSync(file).size : 0;
    if (known && size >= known.bytes) {
      if (size > known.bytes) truncateSync(file, known.bytes);
      return known;
    }
    writeFileSync(file, "", { mode: 0o600 });
    return { records: 0, bytes: 0, cursor: undefined };
  }

  /** Adds a page: all of it, or nothing that counts. */
  async add(
    kind: string,
    before: KindProgress,
    lines: AsyncIterable<Uint8Array>,
    cursor: string | null,
  ): Promise<KindProgress> {
    const file = this.fileOf(kind);
    truncateSync(file, before.bytes);
    let { records, bytes } = before;
    for await (const piece of lines) {
      appendFileSync(file, piece);
      bytes += piece.length;
      for (let at = piece.indexOf(0x0a); at >= 0; at = piece.indexOf(0x0a, at + 1)) records += 1;
    }
    const progress = { records, bytes, cursor };
    this.#progress!.kinds[kind] = progress;
    this.#writeManifest(false, []);
    return progress;
  }

  fileOf(kind: string): string {
    return path.join(this.#folder, `${kind}.jsonl`);
  }

  /** Ends the export. @param kinds in the order in which they are imported @param leftOut what else stayed */
  async complete(kinds: readonly string[], leftOut: ExportManifest["left_out"]): Promise<KindEntry[]> {
    const entries: KindEntry[] = [];
    for (const kind of kinds) {
      const { records, bytes } = this.#progress!.kinds[kind]!;
      entries.push({ kind, file: `${kind}.jsonl`, records, bytes, sha256: await hashFile(this.fileOf(kind)) });
    }
    this.#begun = { ...this.#begun!, left_out: [...this.#begun!.left_out, ...leftOut] };
    this.#writeManifest(true, entries);
    return entries;
  }

  /** All of it, or what was before: never half of it. */
  #writeManifest(complete: boolean, kinds: KindEntry[]): void {
    const manifest = {
      format: exportFormat,
      version: exportVersion,
      ...this.#begun!,
      complete,
      kinds,
      ...(complete ? {} : { progress: this.#progress! }),
    };
    const file = path.join(this.#folder, manifestName);
    writeFileSync(`${file}.part`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.part`, file);
  }
}
