import { createRequire } from "node:module";
import type { Plugin } from "vite";

/** Gives tests in Node what a Worker gets from `import module from "package/file.wasm"`: the module, compiled. */
export function wasmModules(): Plugin {
  const prefix = "\0wasm:";
  return {
    name: "wasm-modules",
    enforce: "pre",
    resolveId(source, importer) {
      if (!source.endsWith(".wasm") || importer === undefined) return undefined;
      // In disguise: what looks like a path into node_modules is left to Node, which cannot load it.
      return prefix + Buffer.from(createRequire(importer).resolve(source)).toString("hex");
    },
    load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const file = JSON.stringify(Buffer.from(id.slice(prefix.length), "hex").toString());
      return `import { readFileSync } from "node:fs";\nexport default new WebAssembly.Module(readFileSync(${file}));`;
    },
  };
}
