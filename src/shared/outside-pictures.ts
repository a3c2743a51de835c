/** How pictures of other sites in texts are shown: after a click, at once, or not at all. */
export const outsidePictureModes = ["ask", "show", "link"] as const;

/** Where the service hands on pictures of other sites. */
export const pictureProxyPath = "/api/v1/images/proxy";

/** The address of this service that shows a picture of another site, so the browser of a reader calls no other site. */
export function proxiedPicture(address: string): string {
  return `${pictureProxyPath}?url=${encodeURIComponent(address)}`;
}
