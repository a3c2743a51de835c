/**
 * Ids of models of people's own connections begin with this. So requests for models of the service need no look at
 * anyone's connections, and nobody's model takes the place of one of the service.
 */
const namespace = "direct";

export function isDirectId(id: string): boolean {
  return id.startsWith(`${namespace}.`);
}

/** The prefix of the connection's model ids. */
export function directPrefix(prefixId: string): string {
  return prefixId === "" ? namespace : `${namespace}.${prefixId}`;
}
