const syllables = [
  "ba",
  "co",
  "dri",
  "el",
  "fun",
  "gar",
  "hi",
  "jo",
  "kel",
  "lum",
  "mar",
  "ni",
  "or",
  "pel",
  "qua",
  "ros",
  "sti",
  "ta",
  "ul",
  "vin",
];

/** A word that every tenth text has. */
export const commonWord = "harbour";

/** Letters of a script without spaces that a third of the texts have which have any. */
export const commonPair = "港湾";
/** So many other letters of that script there are, from the first one on. */
const unspacedLetters = 2000;
const firstUnspaced = 0x4e00;

/** Some 8,000 made-up words. */
const vocabulary = syllables.flatMap((a) => syllables.flatMap((b) => syllables.map((c) => a + b + c)));

/** So many words for a number, the same each time: few words are in many texts and most in few, as in a language. */
export function textOf(seed: number, words: number): string {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  const found: string[] = [];
  for (let at = 0; at < words; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const part = state / 4294967296;
    found.push(vocabulary[Math.floor(vocabulary.length ** part) - 1]!);
  }
  // Not by the seed's last digit, which owners and places go by.
  const kind = Math.imul(seed + 7, 0x9e3779b1) >>> 8;
  if (kind % 10 === 0) found[0] = commonWord;
  // A twentieth is partly in a script without spaces.
  if (kind % 20 === 1)
    found[words - 1] = `${kind % 3 === 0 ? commonPair : ""}${unspacedText(state)}${found[words - 1]}`;
  return found.join(" ");
}

function unspacedText(seed: number): string {
  const codes = Array.from({ length: 12 }, (_, at) => {
    const part = (Math.imul(seed + at, 0x9e3779b1) >>> 0) / 4294967296;
    return firstUnspaced + Math.floor(unspacedLetters ** part) - 1;
  });
  return String.fromCodePoint(...codes);
}

/** The UUIDv7 of a row of a kind, the same each time; later rows have later times. */
export function idOf(kind: string, row: number): string {
  let mixed = row + 1;
  for (const letter of kind) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193);
  const part = (salt: number) => {
    let bits = Math.imul(mixed ^ Math.imul(row + salt, 0x85ebca6b), 0xc2b2ae35);
    bits ^= bits >>> 15;
    return (Math.imul(bits, 0x27d4eb2f) >>> 0).toString(16).padStart(8, "0");
  };
  const time = (1_700_000_000_000 + row * 997).toString(16).padStart(12, "0");
  // The number itself is at the end, so no two are the same.
  const end = part(1).slice(0, 4) + row.toString(16).padStart(8, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${part(2).slice(0, 3)}-a${part(3).slice(0, 3)}-${end}`;
}
