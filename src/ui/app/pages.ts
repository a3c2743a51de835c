import type { IconName } from "../components/icons.ts";

/** The pages that the palette offers. */
export const pages: { href: string; title: string; icon: IconName; admin?: boolean }[] = [
  { href: "/", title: "New chat", icon: "plus" },
  { href: "/settings", title: "Settings: profile", icon: "user" },
  { href: "/settings/password", title: "Settings: password", icon: "lock" },
  { href: "/settings/appearance", title: "Settings: appearance", icon: "sun" },
  { href: "/settings/sessions", title: "Settings: sessions", icon: "screen" },
  { href: "/admin", title: "Administration: overview", icon: "home", admin: true },
  { href: "/admin/people", title: "Administration: people", icon: "people", admin: true },
  { href: "/admin/connections", title: "Administration: connections", icon: "plug", admin: true },
  { href: "/admin/models", title: "Administration: models", icon: "model", admin: true },
  { href: "/admin/settings", title: "Administration: settings", icon: "sliders", admin: true },
  { href: "/admin/health", title: "Administration: health", icon: "heart", admin: true },
];
