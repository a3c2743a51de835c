/** A page that could not be read, with the reason for people, such as "status 404". */
export class PageFailure extends Error {
  override name = "PageFailure";
}
