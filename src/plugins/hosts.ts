import { managesOrganization, type User } from "../access.ts";
import { AppError } from "../errors.ts";

/** Every public address; never a private one, whatever the service may reach itself. */
export const anyHost = "*";

const label = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const pattern = new RegExp(`^(?:\\*\\.${label}\\.${label}|${label})(?:\\.${label})*(?::([0-9]{1,5}))?$`);

/**
 * The hosts that a plugin may fetch from, normalized and without duplicates: `api.example.com`, `api.example.com:8443`,
 * `*.example.com` for everything below it, or `*` for every public address. The outbound guard decides whether they can be called at all.
 * @throws AppError `validation_failed` with the invalid one
 */
export function checkHosts(hosts: readonly string[]): string[] {
  return [...new Set(hosts.map(checkHost))];
}

function checkHost(text: string, index: number): string {
  const host = plain(text.trim().toLowerCase());
  if (host === anyHost) return host;
  const port = pattern.exec(host);
  if (port && (port[1] === undefined || (Number(port[1]) >= 1 && Number(port[1]) <= 65_535))) return host;
  const message = `${text} is not a host: enter a name such as api.example.com, api.example.com:8443 or *.example.com, or * for any public address`;
  throw new AppError("validation_failed", message, {
    param: "hosts",
    issues: [{ path: `hosts.${index}`, message }],
  });
}

/** Names in other scripts as the network knows them (`bücher.example` -> `xn--bcher-kva.example`). */
function plain(host: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\x21-\x7e]*$/.test(host) || !URL.canParse(`http://${host.replace("*.", "")}`)) return host;
  return `${host.startsWith("*.") ? "*." : ""}${new URL(`http://${host.replace("*.", "")}`).host}`;
}

/**
 * Who may allow hosts for a plugin: system administrators, and administrators of the tool's organization. Others may
 * only remove hosts.
 * @throws AppError `forbidden`
 */
export function checkMayOpen(
  user: User,
  organizationId: string | null,
  hosts: readonly string[],
  before: readonly string[],
): void {
  const added = hosts.filter((host) => !before.includes(host));
  if (added.length === 0 || managesOrganization(user, organizationId ?? "")) return;
  throw new AppError("forbidden", `Only an administrator can allow a tool to call ${added.join(", ")}`, {
    param: "hosts",
  });
}
