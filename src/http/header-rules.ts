/** Replaces a stored secret in responses; sent back, it keeps the stored value. */
export const maskedValue = "********";

/** Hop-by-hop and body headers (RFC 9110, 7.6.1), and those that the runtime sets. */
const forbidden =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|host|expect|via|date|content-(?:length|encoding|type|transfer-encoding)|accept-encoding|cookie2|set-cookie2?|(?:proxy|sec|cf|access-control)-.*)$/i;
const token = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i;
const visible = /^[\t\x20-\x7e\xa0-\xff]*$/;

/** Why the header cannot be added to calls, or undefined if it can. */
export function findHeaderProblem(name: string, value: string): string | undefined {
  if (!token.test(name)) return `${JSON.stringify(name)} is not a header name`;
  if (forbidden.test(name)) return `The header ${name} cannot be set here: the connection sets it`;
  if (!visible.test(value)) return `The value of ${name} has characters that are not allowed in a header`;
  return undefined;
}
