/** One event of a Messages stream; its name is in the frame and in the data. */
export function frame(type: string, fields: Record<string, unknown> = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/**
 * The most frequent event, built as a string for speed.
 * @param delta JSON
 */
export function deltaFrame(index: number, delta: string): string {
  return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":${delta}}\n\n`;
}

export const pingFrame = frame("ping");
