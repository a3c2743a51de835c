/**
 * Whether an address is on a plugin's list of hosts: `host` (with the default port of its scheme), `host:port`, or
 * `*.host` for every name below it. For https and http. `*` alone is not looked at here: it means public addresses only.
 */
export function hostMatches(url: URL, hosts: readonly string[]): boolean {
  const usualPort = url.protocol === "https:" ? "443" : "80";
  const port = url.port || usualPort;
  const hostname = url.hostname.toLowerCase().replace(/\.$/, "");
  return hosts.some((entry) => {
    const [, host = "", wanted] = /^(.*?)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? [];
    if ((wanted ?? usualPort) !== port) return false;
    return host.startsWith("*.")
      ? hostname.endsWith(host.slice(1)) && hostname.length > host.length - 1
      : hostname === host;
  });
}
