import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { projectRoot } from "./launch/project-root.ts";
import { collectServiceTexts, collectUiTexts, type Text } from "./texts/collect-texts.ts";

/** npm run texts [folder]: writes what people read to `errors.txt` (service) and `ui.txt`, to be read from beginning to end. */
const folder = path.resolve(process.argv[2] ?? path.join(projectRoot, ".build/texts"));
mkdirSync(folder, { recursive: true });

function write(name: string, texts: Text[]): void {
  const lines = texts.map(({ file, line, text }) => `${file}:${line}\t${text.replace(/\s+/g, " ")}\n`);
  writeFileSync(path.join(folder, name), lines.join(""));
  console.log(`${texts.length} texts: ${path.join(folder, name)}`);
}

write("errors.txt", collectServiceTexts());
write("ui.txt", collectUiTexts());
