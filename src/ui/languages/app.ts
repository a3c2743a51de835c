import { translator } from "./translator.ts";

/** The texts of one place (see app-texts.ts) in the language of the page. Modules that call it wait until the language is loaded. */
export const inLanguage = await translator({
  de: () => import("./de/app.ts"),
  es: () => import("./es/app.ts"),
  fr: () => import("./fr/app.ts"),
  "pt-BR": () => import("./pt-BR/app.ts"),
  ar: () => import("./ar/app.ts"),
  ja: () => import("./ja/app.ts"),
  "zh-CN": () => import("./zh-CN/app.ts"),
});
