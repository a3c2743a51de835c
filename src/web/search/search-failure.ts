/** A search that failed, with a message for people; never with a key in it. */
export class SearchFailure extends Error {
  override name = "SearchFailure";
}
