import { locale } from "../../../lib/language.ts";
import { texts } from "../texts.ts";

const moment = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "medium" });

/**
 * The files of a paste. Office programs put a picture of the copied text beside the text: then the text is meant, and there are
 * none. A picture of the screen has no name of its own and gets one.
 */
export function filesOfPaste(data: DataTransfer | null, now = new Date()): File[] {
  if (!data || data.types.includes("text/html")) return [];
  return [...data.files].map((file) => {
    if (!/^image\.\w+$/u.test(file.name)) return file;
    const ending = file.name.split(".").at(-1);
    const when = moment.format(now).replaceAll(/[/\\:]/gu, "-");
    return new File([file], `${texts.attach.pasted(when)}.${ending}`, { type: file.type });
  });
}
