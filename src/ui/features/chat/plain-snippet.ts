import { withoutMarks } from "../../lib/without-marks.ts";

/** What a search shows of a message: its words without marks, unless marks are what is searched for. */
export const plainSnippet = (snippet: string, query: string): string =>
  /[*_`~#>|[\]()]/u.test(query) ? snippet : withoutMarks(snippet);
