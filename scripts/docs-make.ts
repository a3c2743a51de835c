import { writeFileSync } from "node:fs";
import path from "node:path";
import { makeDocs } from "./docs/make-docs.ts";
import { projectRoot } from "./launch/project-root.ts";

/** npm run docs:make: writes the tables in docs/ that come from the code, and the pages that the built-in guide answers from. */
for (const [file, text] of makeDocs()) writeFileSync(path.join(projectRoot, file), text);
