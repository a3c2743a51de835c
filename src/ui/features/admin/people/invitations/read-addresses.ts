/**
 * The addresses in what somebody entered or pasted: separated by commas, semicolons, blanks or lines, also with names before
 * them (`Ada Lindqvist <ada@harbour.example>`). What is no address is listed too, so that it can be named. Pure.
 */
export function readAddresses(text: string): string[] {
  const found = text
    // A name in quotes may have a comma.
    .replaceAll(/"[^"\n]*"/gu, " ")
    .split(/[,;\n]+/u)
    .flatMap((part) => {
      const named = [...part.matchAll(/<([^<>]*)>/gu)].map(([, address]) => address!);
      return named.length > 0 ? named : part.split(/\s+/u);
    })
    .map((address) => address.trim())
    .filter(Boolean);
  return [...new Set(found)];
}
