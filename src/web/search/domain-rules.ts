/** Which sites may be searched and read. */
export interface DomainRules {
  allowed: readonly string[];
  blocked: readonly string[];
}

/** @param entries `example.org` allows only it and what is below it; `!example.org` blocks the same */
export function readDomainRules(entries: readonly string[]): DomainRules {
  const names = entries.map((entry) => entry.trim().toLowerCase());
  return {
    allowed: names.filter((name) => name !== "" && !name.startsWith("!")).map(toAscii),
    blocked: names.filter((name) => name.startsWith("!")).map((name) => toAscii(name.slice(1))),
  };
}

/** Whether a page may be shown and read. A site that is blocked is blocked below an allowed one too. */
export function isAllowedSite(rules: DomainRules, address: string): boolean {
  const host = new URL(address).hostname.toLowerCase().replace(/\.$/, "");
  const isBelow = (domain: string): boolean => host === domain || host.endsWith(`.${domain}`);
  if (rules.blocked.some(isBelow)) return false;
  return rules.allowed.length === 0 || rules.allowed.some(isBelow);
}

/** Names of hosts are compared as they are sent. */
function toAscii(name: string): string {
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name;
}
