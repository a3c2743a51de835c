import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { type Plugin, defineConfig } from "vite";
import { uiChunks } from "./scripts/ui-chunks.ts";

/**
 * Asks the browser to fetch the one font file that every page shows together with the style sheet, instead of after
 * it. The other subsets stay behind their `unicode-range` and load only for text that needs them.
 */
function preloadLatinFont(): Plugin {
  return {
    name: "parley:preload-latin-font",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name));
        if (!font) throw new Error("The latin subset of Inter is not in the bundle");
        const attrs = { rel: "preload", as: "font", type: "font/woff2", crossorigin: "", href: `./${font}` };
        return [{ tag: "link", attrs, injectTo: "head-prepend" }];
      },
    },
  };
}

/** Fonts of packages come in two formats; every browser that can show the page reads the smaller one. */
function smallFontsOnly(): Plugin {
  return {
    name: "parley:small-fonts-only",
    enforce: "pre",
    transform(code, id) {
      if (!/[\\/]@fontsource[^?]*\.css/.test(id)) return undefined;
      return code.replaceAll(/,\s*url\([^)]*\.woff\) format\(['"]woff['"]\)/g, "");
    },
  };
}

const swaggerNames = ["swagger-ui-bundle.js", "swagger-ui.css"];

/** Puts the two files that `/docs` needs beside the UI; they are loaded there only. */
function swaggerFiles(): Plugin {
  const { resolve } = createRequire(import.meta.url);
  return {
    name: "parley:swagger-files",
    configureServer({ middlewares }) {
      middlewares.use("/swagger/", (request, response, next) => {
        const name = swaggerNames.find((file) => request.url === `/${file}`);
        if (name === undefined) return next();
        response.setHeader("content-type", name.endsWith(".css") ? "text/css" : "text/javascript");
        response.end(readFileSync(resolve(`swagger-ui-dist/${name}`)));
      });
    },
    generateBundle() {
      for (const name of swaggerNames) {
        this.emitFile({
          type: "asset",
          fileName: `swagger/${name}`,
          source: readFileSync(resolve(`swagger-ui-dist/${name}`)),
        });
      }
    },
  };
}

/** What pdf.js fetches while it shows a PDF: character maps of Asian fonts, two fonts of symbols, decoders of rare pictures. */
const pdfFiles = {
  cmaps: /\.bcmap$/,
  standard_fonts: /^Foxit(?:Symbol|Dingbats)\.pfb$/,
  wasm: /_nowasm_fallback\.js$/,
};
const pdfFolders: Record<keyof typeof pdfFiles, string> = { cmaps: "cmaps", standard_fonts: "fonts", wasm: "wasm" };

/** Puts those files beside the UI. */
function pdfResources(): Plugin {
  const home = path.dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const found = Object.entries(pdfFiles).flatMap(([folder, wanted]) =>
    readdirSync(path.join(home, folder))
      .filter((name) => wanted.test(name))
      .map((name) => ({
        fileName: `pdf/${pdfFolders[folder as keyof typeof pdfFiles]}/${name}`,
        file: path.join(home, folder, name),
      })),
  );
  return {
    name: "parley:pdf-resources",
    configureServer({ middlewares }) {
      middlewares.use("/pdf/", (request, response, next) => {
        const wanted = found.find(({ fileName }) => request.url === fileName.slice("pdf".length));
        if (!wanted) return next();
        if (wanted.fileName.endsWith(".js")) response.setHeader("content-type", "text/javascript");
        response.end(readFileSync(wanted.file));
      });
    },
    generateBundle() {
      for (const { fileName, file } of found) this.emitFile({ type: "asset", fileName, source: readFileSync(file) });
    },
  };
}

const chunks = uiChunks();

/** Parts of React as they are loaded by a preview: name -> file. The preview gets them as text, because it has no network. */
const reactFiles: Record<string, string> = {
  react: "react/cjs/react.production.js",
  "react/jsx-runtime": "react/cjs/react-jsx-runtime.production.js",
  scheduler: "scheduler/cjs/scheduler.production.js",
  "react-dom": "react-dom/cjs/react-dom.production.js",
  "react-dom/client": "react-dom/cjs/react-dom-client.production.js",
};

/** Puts what the frames of previews need beside the UI: React as one text that defines `modules`, and Mermaid. */
function frameFiles(): Plugin {
  const { resolve } = createRequire(import.meta.url);
  const folderOf = (name: string) => path.dirname(resolve(`${name}/package.json`));
  const read = (file: string) => {
    const [name = "", ...rest] = file.split("/");
    // The scheduler lies where React DOM finds it.
    const home =
      name === "scheduler"
        ? path.dirname(createRequire(resolve("react-dom")).resolve("scheduler/package.json"))
        : folderOf(name);
    return readFileSync(path.join(home, ...rest), "utf8");
  };
  const files: Record<string, () => string> = {
    "frames/react.js": () => {
      const modules = Object.entries(reactFiles).map(
        ([name, file]) => `${JSON.stringify(name)}: function (module, exports, require) {\n${read(file)}\n}`,
      );
      return `var modules = {\n${modules.join(",\n")}\n};`;
    },
    "frames/mermaid.js": () => read("mermaid/dist/mermaid.min.js"),
  };
  return {
    name: "parley:frame-files",
    configureServer({ middlewares }) {
      middlewares.use("/frames/", (request, response, next) => {
        const file = files[`frames${request.url}`];
        if (!file) return next();
        response.setHeader("content-type", "text/javascript");
        response.end(file());
      });
    },
    generateBundle() {
      for (const [fileName, source] of Object.entries(files))
        this.emitFile({ type: "asset", fileName, source: source() });
    },
  };
}

/** The web UI. `npm start` builds it to `dist/ui`; `npm run dev` serves it with `/api` passed on to PARLEY_API. */
export default defineConfig({
  root: "src/ui",
  // Below which path the page is served, only the service knows.
  base: "./",
  publicDir: "public",
  plugins: [
    svelte({ configFile: false, compilerOptions: { runes: true } }),
    preloadLatinFont(),
    smallFontsOnly(),
    swaggerFiles(),
    pdfResources(),
    frameFiles(),
    chunks.plugin,
  ],
  build: {
    outDir: "../../dist/ui",
    emptyOutDir: true,
    target: "es2024",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: chunks.groups,
        },
      },
    },
  },
  worker: { format: "es" },
  server: {
    host: "127.0.0.1",
    proxy: process.env["PARLEY_API"] ? { "/api": { target: process.env["PARLEY_API"], ws: true } } : {},
  },
});
