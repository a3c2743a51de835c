/** The requirements of a list. Commas also stand between the bounds of one version and between the parts of a package: those stay together. */
export function splitNames(text: string): string[] {
  return text
    .split(/[\n;]+|,(?!\s*[<>=!~]|[^[]*\])/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
