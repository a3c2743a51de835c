import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "../launch/project-root.ts";

/** What differs between the English texts and those of another language. Places are written `sign-in: sso.failed`. */
export interface LanguageFindings {
  /** In English only. */
  missing: string[];
  /** In the other language only. */
  surplus: string[];
  /** Texts that leave out a value which English names. */
  lost: string[];
  /** The same words as in English: right for names, otherwise forgotten. */
  same: string[];
  /** Labels that may not fit where the English ones do. */
  long: string[];
}

/** A label is longer than this share of the English one, and longer than so many characters, to be listed. */
const maxShare = 1.6;
const minLength = 24;
/** Stands for a value; no language changes it. */
const marks = ["⟦0⟧", "⟦1⟧", "⟦2⟧", "⟦3⟧", "⟦4⟧", "⟦5⟧"];

/** Tags of the other languages. */
export const translations = readdirSync(path.join(projectRoot, "src/ui/languages"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const importFile = async (file: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(path.join(projectRoot, file)).href)) as Record<string, unknown>;

/** All English texts, by the id of their place. */
export async function englishTexts(): Promise<Record<string, unknown>> {
  const texts: Record<string, unknown> = {};
  for (const file of globSync("src/ui/**/*texts.ts", { cwd: projectRoot }).sort()) {
    const source = readFileSync(path.join(projectRoot, file), "utf8");
    for (const [, name = "", id = ""] of source.matchAll(/^export const (\w+) = inLanguage\("([^"]+)"/gm)) {
      texts[id] = (await importFile(file))[name];
    }
  }
  return texts;
}

/** The texts of a language, by the id of their place. */
export async function textsIn(tag: string): Promise<Record<string, unknown>> {
  const [app, admin] = await Promise.all(
    ["app", "admin"].map((part) => importFile(`src/ui/languages/${tag}/${part}.ts`)),
  );
  return { ...(app?.["default"] as object), ...(admin?.["default"] as object) };
}

export async function compareLanguage(tag: string): Promise<LanguageFindings> {
  const findings: LanguageFindings = { missing: [], surplus: [], lost: [], same: [], long: [] };
  const [english, translated] = [await englishTexts(), await textsIn(tag)];
  for (const id of new Set([...Object.keys(english), ...Object.keys(translated)])) {
    compare(`${id}:`, english[id], translated[id], findings);
  }
  return findings;
}

function compare(place: string, english: unknown, translated: unknown, findings: LanguageFindings): void {
  if (typeof english !== typeof translated) {
    (translated === undefined ? findings.missing : findings.surplus).push(place);
  } else if (typeof english === "string") compareWords(place, english, translated as string, findings);
  else if (typeof english === "function") {
    const [before, after] = [render(english), render(translated)];
    if (before === undefined) return;
    // A mark that is formatted as a number is there too.
    const isNumber = after?.includes("NaN") === true;
    if (after === undefined || (!isNumber && marks.some((mark) => before.includes(mark) && !after.includes(mark)))) {
      findings.lost.push(`${place}\t${before}\t${after ?? ""}`);
    } else compareWords(place, before, after, findings);
  } else if (typeof english === "object" && english !== null && translated !== null) {
    const [before, after] = [english as Record<string, unknown>, translated as Record<string, unknown>];
    const separator = place.endsWith(":") ? " " : ".";
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(`${place}${separator}${key}`, before[key], after[key], findings);
    }
  }
}

function compareWords(place: string, english: string, translated: string, findings: LanguageFindings): void {
  const line = `${place}\t${english}\t${translated}`;
  if (english === translated && /\p{L}{2}/u.test(english)) findings.same.push(line);
  const isLabel = english.length < 40;
  if (isLabel && translated.length > Math.max(minLength, english.length * maxShare)) findings.long.push(line);
}

/** What a text says about marks; undefined where it takes other values than words and numbers. */
function render(text: unknown): string | undefined {
  try {
    const said: unknown = (text as (...values: string[]) => unknown)(...marks);
    return typeof said === "string" ? said : undefined;
  } catch {
    return undefined;
  }
}
