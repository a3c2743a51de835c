/** What stands for a value that is kept but not shown; sent back unchanged it keeps the stored value. */
export const maskedValue = "********";

/** Headers that belong to the connection between two machines or to the body (RFC 9110, 7.6.1), or that the runtime owns. */
const forbidden =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|host|expect|via|date|content-(?:length|encoding|type|transfer-encoding)|accept-encoding|cookie2|set-cookie2?|(?:proxy|sec|cf|access-control)-.*)$/i;
const token = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i;
const visible = /^[\t\x20-\x7e\xa0-\xff]*$/;

/** Why the header may not be added to calls, or undefined when it may. */
export function findHeaderProblem(name: string, value: string): string | undefined {
  if (!token.test(name)) return `${JSON.stringify(name)} is not a header name`;
  if (forbidden.test(name)) return `The header ${name} cannot be set here: the connection sets it`;
  if (!visible.test(value)) return `The value of ${name} has characters that are not allowed in a header`;
  return undefined;
}
