/** Parts of the service that are no pages. */
const noPage = /^\/(api|oauth|localmodel|ollama)(\/|$)/i;

/**
 * The path, query and fragment to go on to, or `/` for everything that is not clearly a page of our own: other origins in
 * all the ways in which browsers read them (`//host`, `/\host`, `/.//host`, tabs and line breaks that they leave out), and
 * addresses that are no pages.
 */
export function ownPath(next: string | undefined): string {
  if (!next || next.length > 2000 || !next.startsWith("/") || /[\\\p{Cc}]/u.test(next)) return "/";
  const base = "https://own.invalid";
  const url = URL.parse(next, base);
  if (!url || url.origin !== base || url.pathname.startsWith("//") || noPage.test(url.pathname)) return "/";
  return url.pathname + url.search + url.hash;
}
