/** A name of source text as people read it: `api_base_url` becomes `Api base url`, `maxTokens` becomes `Max tokens`. */
export function humanize(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/gu, "$1 $2")
    .split(/[\s_-]+/u)
    .filter(Boolean)
    .map((word) => (word.length > 1 && word === word.toUpperCase() && name !== word ? word : word.toLowerCase()))
    .join(" ");
  return words === "" ? name : words[0]!.toUpperCase() + words.slice(1);
}
