import { ApiError, toApiError } from "../api-error.ts";
import { api } from "../api.ts";
import { online } from "../online.svelte.ts";
import { sendBody, type SendOptions } from "./send-body.ts";
import { readStoredFile, type StoredFile } from "./stored-file.ts";
import { fileTexts } from "./texts.ts";

export interface UploadOptions extends SendOptions {
  /** Kept with the file; some names mean something to the service, such as `knowledge_id` and `directory_id`. */
  metadata?: Readonly<Record<string, unknown>>;
  /** Whether it is read and made searchable; true unless said otherwise. */
  process?: boolean;
}

/** Larger files go in parts, so that a connection that breaks costs a part and not all of it. */
const inParts = 32 * 1024 * 1024;
const tries = 5;

/**
 * Uploads a file; resolves as soon as the service has it, which is before it is read.
 * @throws ApiError; what `signal` gives as its reason when that ended it
 */
export async function uploadFile(file: File, options: UploadOptions = {}): Promise<StoredFile> {
  await readable(file);
  if (file.size > inParts) return uploadParts(file, options);
  const form = new FormData();
  if (options.metadata) form.append("metadata", JSON.stringify(options.metadata));
  form.append("file", file, file.name);
  const query = options.process === false ? "?process=false" : "";
  return readStoredFile(await sendBody("POST", `/api/v1/files/${query}`, form, options));
}

/** A folder that was dropped, or a file that has gone meanwhile, fails only when it is read, and then without a reason. */
async function readable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new ApiError(0, "unreadable", fileTexts.folder(file.name));
  }
}

interface Begun {
  address: string;
  partSize: number;
  /** Numbers of the parts that are there. */
  there: Set<number>;
}

/** Uploads in parts that have not come to their end: the same file goes on where it broke off. */
const begun = new WeakMap<File, Begun>();

async function uploadParts(file: File, options: UploadOptions): Promise<StoredFile> {
  const { onProgress, signal } = options;
  const upload = begun.get(file) ?? (await begin(file, options));
  try {
    for (let from = 0, part = 1; from < file.size; from += upload.partSize, part++) {
      const before = from;
      const progress = (sent: number): void => onProgress?.(before + sent);
      const body = file.slice(from, from + upload.partSize);
      const put = () => sendBody("PUT", `${upload.address}/parts/${part}`, body, { onProgress: progress, signal });
      if (!upload.there.has(part)) await repeatedly(put, signal);
      upload.there.add(part);
    }
    // Putting many parts together can take its time.
    const complete = () => api("POST", `${upload.address}/complete`, { signal, timeout: 120_000 });
    const stored = readStoredFile(await repeatedly(complete, signal));
    begun.delete(file);
    return stored;
  } catch (cause) {
    if (signal?.aborted) void api("DELETE", upload.address, { keepalive: true }).catch(() => undefined);
    const { status } = toApiError(cause);
    if (signal?.aborted || (status >= 400 && status < 500 && status !== 429)) begun.delete(file);
    throw cause;
  }
}

async function begin(file: File, { metadata, process, signal }: UploadOptions): Promise<Begun> {
  const uploads = "/api/v1/files/uploads";
  const body = {
    filename: file.name,
    size: file.size,
    ...(file.type ? { content_type: file.type } : {}),
    ...(metadata ? { metadata } : {}),
    ...(process === undefined ? {} : { process }),
  };
  const upload = await api<{ id: string; part_size: number }>("POST", uploads, { signal, body });
  const fresh = { address: `${uploads}/${upload.id}`, partSize: upload.part_size, there: new Set<number>() };
  begun.set(file, fresh);
  return fresh;
}

/** Tries again what did not get through or broke inside the service; the same part twice is the same part. */
async function repeatedly<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (cause) {
      signal?.throwIfAborted();
      const { status, retryAfter } = toApiError(cause);
      if (attempt === tries || (status !== 0 && status !== 429 && (status < 500 || status === 507))) throw cause;
      await online.back();
      await new Promise((resolve) => setTimeout(resolve, (retryAfter ?? 2 ** (attempt - 1)) * 1000));
      signal?.throwIfAborted();
    }
  }
}
