import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { parseArgs } from "node:util";
import { zipSync } from "fflate";
import pyodide from "pyodide/package.json" with { type: "json" };
import { lockedPackages } from "../src/plugins/packages/interpreter/locked-packages.ts";
import { makeBundle } from "./packages/make-bundle.ts";

const interpreterAddress = `https://cdn.jsdelivr.net/pyodide/v${pyodide.version}/full/`;

const usage = `npm run packages -- bundle NAMES [--registry ADDRESS] [--out FILE]

Gets Python packages for plugins with all that they need, and makes one file of them. Upload it under Admin > Packages
of a service that has no access to a registry.

  NAMES          as plugins import or require them: bs4, "openai>=1,<2"
  --registry     address of a registry (default https://pypi.org/simple/); may be repeated, the first one that knows a name decides
  --interpreter  address of packages that were made for the interpreter, such as numpy
                 (default ${interpreterAddress})
  --out          the file (default packages.zip)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    registry: { type: "string", multiple: true },
    interpreter: { type: "string", default: interpreterAddress },
    out: { type: "string", default: "packages.zip" },
    help: { type: "boolean" },
  },
});
const [command, ...names] = positionals;
if (values.help || command !== "bundle" || names.length === 0) {
  console.log(usage);
  process.exit(values.help ? 0 : 1);
}
try {
  const { files, packages } = await makeBundle(names, values.registry ?? ["https://pypi.org/simple/"], {
    address: values.interpreter,
    packages: await lockedPackages(),
  });
  for (const { name, version, size, license } of packages)
    console.log(`${name} ${version}  ${(size / 1000).toFixed(0)} kB  ${license ?? "no license stated"}`);
  const out = createWriteStream(values.out);
  // Wheels are packed already; whole sizes in front let a reader take one after another.
  out.end(zipSync(files, { level: 0 }));
  await once(out, "finish");
  console.log(`${packages.length} packages are in ${values.out}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
