const maxLength = 64;

/** A name as models take it (`[a-zA-Z0-9_-]{1,64}`) that is not among those `taken`, to which it is added. */
export function toolName(text: string, taken: Set<string>): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[^a-zA-Z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, maxLength);
  const first = plain === "" ? "function" : plain;
  let name = first;
  for (let at = 2; taken.has(name); at++) {
    const end = `_${at}`;
    name = first.slice(0, maxLength - end.length) + end;
  }
  taken.add(name);
  return name;
}
