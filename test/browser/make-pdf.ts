import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";

/** A PDF of text: one string for each page, whose lines are its lines. */
export async function makePdf(pages: readonly string[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of pages) {
    const page = document.addPage([595, 842]);
    for (const [line, words] of text.split("\n").entries())
      page.drawText(words, { x: 60, y: 770 - line * 20, size: 12, font });
  }
  return Buffer.from(await document.save());
}

/** Twelve pages of a timetable; page `answer` says when the last ferry leaves on Sundays. */
export function makeTimetable(answer = 7): Promise<Buffer> {
  const seasons = ["spring", "summer", "autumn", "winter"];
  return makePdf(
    Array.from({ length: 12 }, (_, index) => {
      const lines = [`Timetable, part ${index + 1}`, ""];
      for (let berth = 1; berth <= 14; berth++)
        lines.push(
          `Berth ${berth} of quay ${index + 1} is cleaned every ${seasons[(berth + index) % 4]} by crew ${berth}.`,
        );
      if (index + 1 === answer)
        lines.push(
          "",
          "On Sundays the last ferry leaves the north quay at 21:40,",
          "fifteen minutes earlier than in the winter before.",
        );
      return lines.join("\n");
    }),
  );
}
