import { spellMentions } from "../../../../shared/mentions.ts";
import { withoutMarks } from "../../../lib/without-marks.ts";

/** Longest text that is looked at: a line shows far less. */
const maxLength = 400;

/** The words of a message in one line, for quotes, lists and announcements: names instead of their codes, without marks. Pure. */
export const plainText = (content: string): string => withoutMarks(spellMentions(content.slice(0, maxLength)));
