import { explainError } from "../../components/explain-error.ts";
import { toApiError } from "../../lib/api-error.ts";
import { refuseFile, type UploadLimits } from "../../lib/files/refuse-file.ts";
import { uploadFile } from "../../lib/files/upload-file.ts";
import type { ChosenFile } from "./dropped-files.ts";

/** So many at a time: more do not get there sooner. */
const atOnce = 3;

/** One file on its way into a base. */
export class BaseUpload {
  readonly path: string;
  readonly file: File;
  state = $state<"waiting" | "uploading" | "arrived" | "failed">("waiting");
  /** Bytes that have left. */
  sent = $state(0);
  error = $state("");
  /** Whether sending it again may help. */
  mayRetry = $state(false);

  constructor({ file, path }: ChosenFile) {
    this.file = file;
    this.path = path;
  }
}

/** Where in the base files go: into a directory, and by its names from the top. */
export interface Place {
  directory: string | null;
  names: readonly string[];
}

/** The files that are being uploaded into one base. They go on while its page stands. */
export class BaseUploads {
  list = $state<BaseUpload[]>([]);
  readonly #knowledgeId: string;
  readonly #limits: () => UploadLimits | undefined;
  readonly #onArrived: () => void;
  readonly #places = new WeakMap<BaseUpload, Place>();
  #stop = new AbortController();
  #running = 0;

  /** @param onArrived called when the service has taken one more */
  constructor(knowledgeId: string, limits: () => UploadLimits | undefined, onArrived: () => void) {
    this.#knowledgeId = knowledgeId;
    this.#limits = limits;
    this.#onArrived = onArrived;
  }

  get isBusy(): boolean {
    return this.list.some(({ state }) => state === "waiting" || state === "uploading");
  }

  add(files: readonly ChosenFile[], place: Place): void {
    for (const chosen of files) {
      const upload = new BaseUpload(chosen);
      this.#places.set(upload, place);
      const refused = refuseFile(chosen.file, this.#limits());
      if (refused) [upload.state, upload.error] = ["failed", refused];
      this.list.push(upload);
    }
    this.#go();
  }

  retry(upload: BaseUpload): void {
    [upload.state, upload.error, upload.sent] = ["waiting", "", 0];
    this.#go();
  }

  /** Ends what has not arrived. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.list = this.list.filter(({ state }) => state === "arrived" || state === "failed");
  }

  /** Takes away what needs no more attention. */
  clear(): void {
    this.list = this.list.filter(({ state }) => state === "waiting" || state === "uploading");
  }

  #go(): void {
    while (this.#running < atOnce) {
      const next = this.list.find(({ state }) => state === "waiting");
      if (!next) return;
      next.state = "uploading";
      this.#running++;
      void this.#send(next).finally(() => {
        this.#running--;
        this.#go();
      });
    }
  }

  async #send(upload: BaseUpload): Promise<void> {
    const { signal } = this.#stop;
    const place = this.#places.get(upload) ?? { directory: null, names: [] };
    const isInFolder = upload.path.includes("/");
    // A folder's files go by their path, which makes the directories; others straight into the one that is open.
    const where = isInFolder
      ? { path: [...place.names, upload.path].join("/") }
      : place.directory === null
        ? {}
        : { directory_id: place.directory };
    try {
      await uploadFile(upload.file, {
        signal,
        metadata: { knowledge_id: this.#knowledgeId, ...where },
        onProgress: (sent) => (upload.sent = sent),
      });
      upload.state = "arrived";
      this.#onArrived();
    } catch (cause) {
      if (signal.aborted) return;
      const error = toApiError(cause);
      upload.error = explainError(error);
      upload.mayRetry = error.status === 0 || error.status === 429 || error.status >= 500;
      upload.state = "failed";
    }
  }
}
