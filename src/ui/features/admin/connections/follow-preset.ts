/**
 * The name of a connection after another provider was chosen: that of the provider, unless the person has typed one. Pure.
 * @param name what is entered now
 * @param before the name of the provider that was chosen before; undefined where none was
 * @param chosen the name of the provider that is chosen now; undefined for another one, which brings no name
 */
export function followPreset(name: string, before: string | undefined, chosen: string | undefined): string {
  const isTyped = name.trim() !== "" && name !== before;
  return isTyped ? name : (chosen ?? "");
}
