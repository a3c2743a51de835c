import { getDocument, PDFWorker, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { at } from "../../lib/base-path.ts";

export interface OpenPdf {
  document: PDFDocumentProxy;
  close(): void;
}

/**
 * Opens a PDF of this service. Only what is looked at is fetched, by range requests. Nothing in it can run: scripts are never
 * started, and what would need WebAssembly, which the page's policy forbids, is decoded by JavaScript.
 * @throws what pdf.js throws; `PasswordException` for an encrypted file
 */
export async function openPdf(url: string, signal: AbortSignal): Promise<OpenPdf> {
  const port = new Worker(new URL("./pdf-worker.ts", import.meta.url), { type: "module" });
  const worker = new PDFWorker({ port: port as never });
  const task = getDocument({
    url: new URL(at(url), location.href).href,
    worker,
    // Beside the app; see vite.config.ts.
    cMapUrl: new URL(at("/pdf/cmaps/"), location.href).href,
    standardFontDataUrl: new URL(at("/pdf/fonts/"), location.href).href,
    wasmUrl: new URL(at("/pdf/wasm/"), location.href).href,
    useWasm: false,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    stopAtErrors: false,
  });
  const close = (): void => {
    void task.destroy().catch(() => undefined);
    worker.destroy();
    port.terminate();
  };
  signal.addEventListener("abort", close, { once: true });
  try {
    return { document: await task.promise, close };
  } catch (cause) {
    close();
    throw cause;
  }
}
