/** The languages of the UI: BCP 47 tags, each with its own name for itself. */
export const languages = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  "pt-BR": "Português (Brasil)",
  ar: "العربية",
  ja: "日本語",
  "zh-CN": "简体中文",
} as const;

export type Language = keyof typeof languages;

const storageKey = "parley:language";
const rightToLeft = new Set<Language>(["ar"]);

const hasPage = typeof document !== "undefined";

function isLanguage(tag: string | null): tag is Language {
  return tag !== null && Object.hasOwn(languages, tag);
}

/**
 * The first of the preferred languages that the UI has. Regions do not matter, scripts do: `pt-PT` finds `pt-BR`, but
 * `zh-TW` does not find `zh-CN`.
 */
export function chooseLanguage(chosen: string | null, preferred: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  for (const tag of preferred) {
    const found = Object.keys(languages).find((known) => writtenIn(known) === writtenIn(tag));
    if (isLanguage(found ?? null)) return found as Language;
  }
  return "en";
}

/** Language and script, such as `zh-Hans`; the tag itself where it is not a valid one. */
function writtenIn(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return tag;
  }
}

/** The person's choice for this browser; null: as the browser. */
export const chosenLanguage = hasPage ? localStorage.getItem(storageKey) : null;

export const language = hasPage ? chooseLanguage(chosenLanguage, navigator.languages) : "en";

/** For `Intl`: the language with the region that the browser has for it. */
export const locale = hasPage
  ? (navigator.languages.find((tag) => writtenIn(tag) === writtenIn(language)) ?? language)
  : undefined;

if (hasPage) {
  document.documentElement.lang = language;
  // See languages/locale.ts.
  document.documentElement.dataset["locale"] = locale;
  document.documentElement.dir = rightToLeft.has(language) ? "rtl" : "ltr";
}

/** Texts are made when the page is loaded, so it is loaded again. @param tag undefined: as the browser */
export function setLanguage(tag: Language | undefined): void {
  if (tag === undefined) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, tag);
  location.reload();
}
