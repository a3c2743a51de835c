/** Longest result: it travels in a cookie, sealed with more, and browsers drop those over 4096 bytes. */
const maxLength = 1500;
/** Parts of the service that are no pages. */
const noPage = /^\/(api|oauth|localmodel|ollama)(\/|$)/i;

/**
 * The path, query and fragment to continue to, or `/` for anything that is not clearly one of our pages: other origins
 * in every form that browsers accept (`//host`, `/\host`, `/.//host`, tabs and line breaks that they ignore), and
 * addresses that are not pages.
 */
export function returnPath(next: string | undefined): string {
  if (!next || next.length > maxLength || !next.startsWith("/") || /[\\\p{Cc}]/u.test(next)) return "/";
  const base = "https://own.invalid";
  const url = URL.parse(next, base);
  if (!url || url.origin !== base || url.pathname.startsWith("//") || noPage.test(url.pathname)) return "/";
  const page = url.pathname + url.search + url.hash;
  // Letters outside of ASCII have become longer.
  return page.length > maxLength ? "/" : page;
}
