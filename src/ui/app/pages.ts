import type { IconName } from "../components/icons.ts";

/** The pages that the palette offers, those for administrators only to them. */
export const pages: { href: string; title: string; icon: IconName; access?: "manager" | "admin" }[] = [
  { href: "/", title: "New chat", icon: "plus" },
  { href: "/settings", title: "Settings: profile", icon: "user" },
  { href: "/settings/password", title: "Settings: password", icon: "lock" },
  { href: "/settings/appearance", title: "Settings: appearance", icon: "sun" },
  { href: "/settings/sessions", title: "Settings: sessions", icon: "screen" },
  { href: "/settings/keys", title: "Settings: API keys", icon: "key" },
  { href: "/admin", title: "Administration: overview", icon: "home", access: "admin" },
  { href: "/admin/people", title: "Administration: people", icon: "people", access: "manager" },
  { href: "/admin/groups", title: "Administration: groups", icon: "circles", access: "manager" },
  { href: "/admin/groups/everyone", title: "Administration: what everyone may do", icon: "lock", access: "admin" },
  { href: "/admin/organizations", title: "Administration: organizations", icon: "building", access: "admin" },
  {
    href: "/admin/organizations/landing",
    title: "Administration: where new accounts land",
    icon: "building",
    access: "admin",
  },
  { href: "/admin/connections", title: "Administration: connections", icon: "plug", access: "admin" },
  { href: "/admin/models", title: "Administration: models", icon: "model", access: "admin" },
  { href: "/admin/functions", title: "Administration: functions", icon: "code", access: "admin" },
  { href: "/admin/tools", title: "Administration: tools", icon: "tool", access: "admin" },
  { href: "/admin/packages", title: "Administration: packages", icon: "box", access: "manager" },
  { href: "/admin/keys", title: "Administration: API keys", icon: "key", access: "manager" },
  { href: "/admin/sso", title: "Administration: single sign-on", icon: "lock", access: "admin" },
  { href: "/admin/scim", title: "Administration: provisioning (SCIM)", icon: "exchange", access: "admin" },
  { href: "/admin/audit", title: "Administration: audit", icon: "list", access: "manager" },
  { href: "/admin/settings", title: "Administration: settings", icon: "sliders", access: "admin" },
  { href: "/admin/health", title: "Administration: health", icon: "heart", access: "admin" },
];
