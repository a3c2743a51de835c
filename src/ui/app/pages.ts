import type { IconName } from "../components/icons.ts";
import { adminGroups, overviewPage } from "../features/admin/admin-pages.ts";
import { texts as adminTexts } from "../features/admin/texts.ts";
import { texts } from "./texts.ts";

interface PalettePage {
  href: string;
  title: string;
  icon: IconName;
  access?: "manager" | "admin";
}

/** Of everyone; their titles are in `texts.pages`. */
const common: { href: keyof typeof texts.pages; icon: IconName }[] = [
  { href: "/", icon: "plus" },
  { href: "/temporary", icon: "ghost" },
  { href: "/channels", icon: "hash" },
  { href: "/knowledge", icon: "book" },
  { href: "/prompts", icon: "edit" },
  { href: "/models", icon: "model" },
  { href: "/help", icon: "info" },
  { href: "/settings", icon: "user" },
  { href: "/settings/password", icon: "lock" },
  { href: "/settings/second-factor", icon: "phone" },
  { href: "/settings/appearance", icon: "sun" },
  { href: "/settings/device", icon: "phone" },
  { href: "/settings/voice", icon: "microphone" },
  { href: "/settings/sessions", icon: "screen" },
  { href: "/settings/keys", icon: "key" },
  { href: "/settings/usage", icon: "chart" },
  { href: "/settings/storage", icon: "archive" },
  { href: "/settings/files", icon: "list" },
  { href: "/settings/instructions", icon: "edit" },
  { href: "/settings/memories", icon: "pin" },
  { href: "/settings/notifications", icon: "bell" },
  { href: "/settings/data", icon: "download" },
  { href: "/settings/connections", icon: "plug" },
  { href: "/settings/tools", icon: "link" },
];

/** The pages that the palette offers, those for administrators only to them. */
export const pages: PalettePage[] = [
  ...common.map(({ href, icon }) => ({ href, title: texts.pages[href], icon })),
  ...[overviewPage, ...adminGroups.flatMap((group) => group.pages)].map(({ href, name, icon, access }) => ({
    href,
    title: texts.inAdmin(adminTexts.pages[name]),
    icon,
    access,
  })),
];
