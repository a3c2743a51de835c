/**
 * The locale of the page, which lib/language.ts has noted. Texts of languages import nothing of the page itself: it waits for
 * them, so they would wait for each other.
 */
export const locale = globalThis.document?.documentElement.dataset["locale"];
