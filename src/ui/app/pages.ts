import type { IconName } from "../components/icons.ts";
import { adminGroups, overviewPage } from "../features/admin/admin-pages.ts";
import { texts as adminTexts } from "../features/admin/texts.ts";
import { texts } from "./texts.ts";

/** The pages that the palette offers, those for administrators only to them. */
export const pages: { href: string; title: string; icon: IconName; access?: "manager" | "admin" }[] = [
  { href: "/", title: "New chat", icon: "plus" },
  { href: "/temporary", title: "Temporary chat", icon: "ghost" },
  { href: "/channels", title: "Channels", icon: "hash" },
  { href: "/knowledge", title: "Knowledge", icon: "book" },
  { href: "/prompts", title: "Prompts", icon: "edit" },
  { href: "/models", title: "Your models", icon: "model" },
  { href: "/help", title: "Help", icon: "info" },
  { href: "/settings", title: "Settings: profile", icon: "user" },
  { href: "/settings/password", title: "Settings: password", icon: "lock" },
  { href: "/settings/second-factor", title: "Settings: second factor", icon: "phone" },
  { href: "/settings/appearance", title: "Settings: appearance", icon: "sun" },
  { href: "/settings/device", title: "Settings: this device", icon: "phone" },
  { href: "/settings/voice", title: "Settings: voice", icon: "microphone" },
  { href: "/settings/sessions", title: "Settings: sessions", icon: "screen" },
  { href: "/settings/keys", title: "Settings: API keys", icon: "key" },
  { href: "/settings/usage", title: "Settings: usage", icon: "chart" },
  { href: "/settings/storage", title: "Settings: storage", icon: "archive" },
  { href: "/settings/files", title: "Settings: files", icon: "list" },
  { href: "/settings/instructions", title: "Settings: instructions", icon: "edit" },
  { href: "/settings/memories", title: "Settings: memories", icon: "pin" },
  { href: "/settings/notifications", title: "Settings: notifications", icon: "bell" },
  { href: "/settings/data", title: "Settings: your data", icon: "download" },
  { href: "/settings/connections", title: "Settings: connections", icon: "plug" },
  { href: "/settings/tools", title: "Settings: tool servers", icon: "link" },
  ...[overviewPage, ...adminGroups.flatMap((group) => group.pages)].map(({ href, name, icon, access }) => ({
    href,
    title: texts.inAdmin(adminTexts.pages[name]),
    icon,
    access,
  })),
];
