/**
 * How many values a JSON text has, counted no further than just beyond `most`. It is not parsed for that: a text that is no JSON has
 * as many as whoever reads it would come upon before it hears so.
 */
export function countValues(json: string, max: number): number {
  let count = 1;
  for (let at = 0; at < json.length && count <= max; at++) {
    switch (json.charCodeAt(at)) {
      case 0x22:
        at = endOfText(json, at);
        break;
      case 0x2c:
      case 0x5b:
      case 0x7b:
        count++;
    }
  }
  return count;
}

/** Where the text ends that begins with the quotation mark at `start`. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf('"', at);
    if (at < 0) return json.length;
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}
