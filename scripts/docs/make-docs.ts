import { readFileSync } from "node:fs";
import path from "node:path";
import { helpSlugs } from "../../src/ui/features/help/pages.ts";
import { type HelpPage, readPage } from "../../src/ui/features/help/read-page.ts";
import { projectRoot } from "../launch/project-root.ts";
import { endpointTables } from "./endpoint-tables.ts";
import { errorTable } from "./error-table.ts";
import { permissionTable } from "./permission-table.ts";
import { recordTable } from "./record-tables.ts";
import { settingTables } from "./setting-tables.ts";

/** The pages that the built-in guide answers from. */
const guideFile = "src/models/drivers/function-model/guide/pages.json";

/** The list of endpoints is for looking up, not for answering questions, and as long as all other pages together. */
const notForGuide = new Set(["endpoints"]);

const makers: Readonly<Record<string, () => string>> = {
  endpoints: endpointTables,
  errors: errorTable,
  permissions: permissionTable,
  records: recordTable,
  settings: settingTables,
};

const made = /(<!-- made by npm run docs:make: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** What the made parts of docs/ and the guide's pages have to be, by path from the root. */
export function makeDocs(): Map<string, string> {
  const files = new Map<string, string>();
  const pages: HelpPage[] = [];
  for (const slug of helpSlugs) {
    const file = `docs/${slug}.md`;
    const text = readFileSync(path.join(projectRoot, file), "utf8").replace(
      made,
      (_, begin: string, name: string, end: string) => {
        const make = makers[name];
        if (!make) throw new Error(`${file}: nothing makes "${name}", only ${Object.keys(makers).join(", ")}`);
        return `${begin}\n${make()}\n\n${end}`;
      },
    );
    files.set(file, text);
    if (!notForGuide.has(slug)) pages.push(readPage(slug, text));
  }
  files.set(guideFile, `${JSON.stringify(pages, null, 1)}\n`);
  return files;
}
