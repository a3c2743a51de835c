/** Of the UI, or a frame of it. */
export function isPage(file: Response): boolean {
  return file.headers.get("content-type")?.startsWith("text/html") === true;
}

/** The page with the addresses of its files, which the build leaves relative: it is served below any path. */
export function placePage(page: Response, base: string): Response {
  return new HTMLRewriter()
    .on('[src^="./"], [href^="./"]', {
      element(element) {
        for (const name of ["src", "href"]) {
          const address = element.getAttribute(name);
          if (address !== null) element.setAttribute(name, base + address.slice(1));
        }
      },
    })
    .on('meta[name="base-path"]', { element: (element) => void element.setAttribute("content", base) })
    .transform(page);
}
