import type { IconName } from "../../components/icons.ts";
import type { texts } from "./texts.ts";

/** A page of the administration, as the rail and the palette offer it. */
export interface AdminPage {
  href: string;
  /** Its name in `texts.pages`. */
  name: keyof (typeof texts)["pages"];
  icon: IconName;
  /** `manager`: administrators of an organization see it too. */
  access: "manager" | "admin";
  /** Pages below its address belong to it. */
  deep?: true;
  /** Only the palette offers it: another page leads there. */
  isBelow?: true;
}

export interface AdminGroup {
  name: keyof (typeof texts)["groups"];
  pages: readonly AdminPage[];
}

/** Stands above the groups. */
export const overviewPage: AdminPage = { href: "/admin", name: "overview", icon: "home", access: "admin" };

/**
 * The pages in the order of the rail. A new page is one line here, one in `texts.pages`, and its route in `src/ui/app/admin-routes.ts`; `docs/start.md`
 * lists them too.
 */
export const adminGroups: readonly AdminGroup[] = [
  {
    name: "people",
    pages: [
      { href: "/admin/people", name: "people", icon: "people", access: "manager", deep: true },
      { href: "/admin/groups", name: "groups", icon: "circles", access: "manager", deep: true },
      { href: "/admin/groups/everyone", name: "everyone", icon: "lock", access: "admin", isBelow: true },
      // The one place that always mentions organizations: everything else does once there are several.
      { href: "/admin/organizations", name: "organizations", icon: "building", access: "admin", deep: true },
      { href: "/admin/organizations/landing", name: "landing", icon: "building", access: "admin", isBelow: true },
      { href: "/admin/sso", name: "sso", icon: "lock", access: "admin" },
      { href: "/admin/scim", name: "scim", icon: "exchange", access: "admin" },
    ],
  },
  {
    name: "models",
    pages: [
      { href: "/admin/connections", name: "connections", icon: "plug", access: "admin", deep: true },
      { href: "/admin/models", name: "models", icon: "model", access: "admin", deep: true },
      { href: "/admin/local-models", name: "localModels", icon: "chip", access: "admin" },
      { href: "/admin/usage", name: "usage", icon: "chart", access: "manager" },
      { href: "/admin/quotas", name: "quotas", icon: "gauge", access: "manager" },
      { href: "/admin/ratings", name: "ratings", icon: "thumb-up", access: "admin" },
    ],
  },
  {
    name: "workspace",
    pages: [
      { href: "/admin/documents", name: "documents", icon: "book", access: "admin" },
      { href: "/admin/storage", name: "storage", icon: "archive", access: "manager" },
      { href: "/admin/data", name: "dataLife", icon: "lock", access: "admin" },
      { href: "/admin/moving-in", name: "movingIn", icon: "download", access: "admin", deep: true },
    ],
  },
  {
    name: "integrations",
    pages: [
      { href: "/admin/web-search", name: "webSearch", icon: "globe", access: "admin" },
      { href: "/admin/media", name: "media", icon: "image", access: "admin" },
      { href: "/admin/functions", name: "functions", icon: "code", access: "admin", deep: true },
      { href: "/admin/tools", name: "tools", icon: "tool", access: "admin", deep: true },
      { href: "/admin/packages", name: "packages", icon: "box", access: "manager" },
      { href: "/admin/tool-servers", name: "toolServers", icon: "link", access: "manager", deep: true },
      { href: "/admin/keys", name: "keys", icon: "key", access: "manager" },
      { href: "/admin/webhooks", name: "webhooks", icon: "send", access: "admin" },
      { href: "/admin/mail", name: "mail", icon: "send", access: "admin" },
    ],
  },
  {
    name: "system",
    pages: [
      { href: "/admin/settings", name: "settings", icon: "sliders", access: "admin" },
      { href: "/admin/audit", name: "audit", icon: "list", access: "manager" },
      { href: "/admin/health", name: "health", icon: "heart", access: "admin" },
    ],
  },
];

/** The groups with those pages that somebody may see; empty groups are left out. Pure. */
export function groupsFor(isAdmin: boolean): AdminGroup[] {
  return adminGroups
    .map(({ name, pages }) => ({ name, pages: pages.filter(({ access }) => isAdmin || access === "manager") }))
    .filter(({ pages }) => pages.length > 0);
}

/** Whether an address belongs to the page. Erasures are a part of the page of holds and erasures. Pure. */
export function isPageOf({ href, deep }: AdminPage, path: string): boolean {
  if (href === "/admin/data" && path.startsWith("/admin/erasures/")) return true;
  return path === href || (deep === true && path.startsWith(`${href}/`));
}
