/** Now, in whole epoch seconds, as the API counts time. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
