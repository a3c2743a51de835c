/** A password that is safe to read out: four groups without letters that look alike, about 80 bits. */
export function suggestPassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const group = (): string =>
    Array.from(crypto.getRandomValues(new Uint32Array(4)), (value) => letters[value % letters.length]).join("");
  return [group(), group(), group(), group()].join("-");
}
