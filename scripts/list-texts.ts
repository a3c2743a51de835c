import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { projectRoot } from "./launch/project-root.ts";
import { collectServiceTexts, collectUiTexts, type Text } from "./texts/collect-texts.ts";
import { compareLanguage, translations } from "./texts/compare-languages.ts";

/**
 * npm run texts [folder]: writes what people read to `errors.txt` (service) and `ui.txt`, to be read from beginning to
 * end, and for each other language what is missing, the same as in English, or long, to `<language>.txt`.
 */
const folder = path.resolve(process.argv[2] ?? path.join(projectRoot, ".build/texts"));
mkdirSync(folder, { recursive: true });

function write(name: string, texts: Text[]): void {
  const lines = texts.map(({ file, line, text }) => `${file}:${line}\t${text.replace(/\s+/g, " ")}\n`);
  writeFileSync(path.join(folder, name), lines.join(""));
  console.log(`${texts.length} texts: ${path.join(folder, name)}`);
}

write("errors.txt", collectServiceTexts());
write("ui.txt", collectUiTexts());

for (const tag of translations) {
  const findings = Object.entries(await compareLanguage(tag));
  const lines = findings.flatMap(([kind, places]) => places.map((place: string) => `${kind}\t${place}\n`));
  writeFileSync(path.join(folder, `${tag}.txt`), lines.join(""));
  console.log(`${tag}: ${findings.map(([kind, places]) => `${places.length} ${kind}`).join(", ")}`);
}
