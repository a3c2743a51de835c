/** Numbered events of a Responses stream. */
export interface EventWriter {
  /** One event; its name is in the frame and in the data. */
  event(type: string, fields: Record<string, unknown>): void;
  /**
   * The most frequent events, built as a string for speed.
   * @param fields JSON, without braces
   */
  delta(type: string, fields: string): void;
  /** What was written since the last call. */
  taken(): string;
}

export function createEventWriter(): EventWriter {
  let out = "";
  let number = 0;

  function delta(type: string, fields: string): void {
    out += `event: ${type}\ndata: {"type":"${type}","sequence_number":${number},${fields}}\n\n`;
    number += 1;
  }

  return {
    event: (type, fields) => delta(type, JSON.stringify(fields).slice(1, -1)),
    delta,
    taken() {
      const text = out;
      out = "";
      return text;
    },
  };
}
