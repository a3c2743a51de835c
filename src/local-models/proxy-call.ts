import type { Target } from "./read-target.ts";
import type { RuntimeCall } from "./runtime-calls.ts";

/** A request to the proxy, read as far as its address. */
export interface ProxyCall {
  request: Request;
  /** Reads the whole body, with any content type. @throws AppError as `readJsonText` */
  readBody: () => Promise<{ text: string; bytes: Uint8Array<ArrayBuffer> }>;
  target: Target;
  /** Undefined for what is not known here. */
  call: RuntimeCall | undefined;
  /** When it was let in, epoch milliseconds. */
  since: number;
}
