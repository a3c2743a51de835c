import { translator } from "./translator.ts";

/** The texts of one place (see admin-texts.ts) in the language of the page. Modules that call it wait until the language is loaded. */
export const inLanguage = await translator({
  de: () => import("./de/admin.ts"),
  es: () => import("./es/admin.ts"),
  fr: () => import("./fr/admin.ts"),
  "pt-BR": () => import("./pt-BR/admin.ts"),
  ar: () => import("./ar/admin.ts"),
  ja: () => import("./ja/admin.ts"),
  "zh-CN": () => import("./zh-CN/admin.ts"),
});
