/** Longest result: it travels in a cookie, sealed with more, and browsers drop those over 4096 bytes. */
const maxLength = 1500;
/** Parts of the service that are no pages. */
const noPage = /^\/(api|oauth|localmodel|ollama)(\/|$)/i;

/**
 * The path, query and fragment to go on to, or `/` for everything that is not clearly a page of our own: other origins in
 * all the ways in which browsers read them (`//host`, `/\host`, `/.//host`, tabs and line breaks that they leave out), and
 * addresses that are no pages.
 */
export function ownPath(next: string | undefined): string {
  if (!next || next.length > maxLength || !next.startsWith("/") || /[\\\p{Cc}]/u.test(next)) return "/";
  const base = "https://own.invalid";
  const url = URL.parse(next, base);
  if (!url || url.origin !== base || url.pathname.startsWith("//") || noPage.test(url.pathname)) return "/";
  const page = url.pathname + url.search + url.hash;
  // Letters outside of ASCII have become longer.
  return page.length > maxLength ? "/" : page;
}
