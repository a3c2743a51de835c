/** Which span something belongs to (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  isSampled: boolean;
}

const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const onlyZeros = /^0+$/;
const sampledFlag = 1;

/** What a `traceparent` header says; undefined for an invalid one, which is as good as none. */
export function readTraceparent(header: string | null | undefined): TraceContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] = form.exec(header?.trim() ?? "") ?? [];
  // Later versions may have more behind the flags; this one has not.
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (onlyZeros.test(traceId) || onlyZeros.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag };
}

export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

export const newTraceId = () => randomHex(16);
export const newSpanId = () => randomHex(8);

function randomHex(bytes: number): string {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0"));
  const text = id.join("");
  return onlyZeros.test(text) ? randomHex(bytes) : text;
}
