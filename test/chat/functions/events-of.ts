/** The events of a stream's body, parsed; `[DONE]` as it is. */
export function eventsOf(stream: string): (Record<string, unknown> | "[DONE]")[] {
  return stream
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: "))
    .map((frame) => frame.slice(6))
    .map((data) => (data === "[DONE]" ? data : (JSON.parse(data) as Record<string, unknown>)));
}

interface Delta {
  content?: string;
}

/** What a stream says, all pieces together. */
export function textOf(stream: string): string {
  const chunks = eventsOf(stream).filter((event) => event !== "[DONE]") as { choices?: { delta?: Delta }[] }[];
  return chunks.map(({ choices }) => choices?.[0]?.delta?.content ?? "").join("");
}
