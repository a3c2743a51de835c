import path from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Page } from "playwright-core";
import { build } from "vite";

const root = path.resolve(import.meta.dirname, "../..");

const entry = `
import { createRawSnippet, flushSync, mount } from "svelte";
import Boundary from "${root}/src/ui/components/Boundary.svelte";
import Markdown from "${root}/src/ui/lib/markdown/Markdown.svelte";
import "${root}/src/ui/app/base.css";
let props = $state({ text: "", streaming: false });
mount(Markdown, { target: document.querySelector("#app"), props });
globalThis.showBroken = (text) => {
  const children = createRawSnippet(() => ({
    render: () => "<p></p>",
    setup: () => {
      throw new Error("this cannot be shown");
    },
  }));
  mount(Boundary, { target: document.body, props: { text, children } });
  flushSync();
};
globalThis.show = (text, streaming = false) => {
  props.text = text;
  props.streaming = streaming;
  flushSync();
};`;

/**
 * Builds a page that holds nothing but the Markdown renderer and opens it: `show(text, streaming)` renders, `showBroken(text)` something that fails. It is served
 * from memory under the service's own content policy.
 */
export async function openMarkdownPage(page: Page): Promise<void> {
  const result = await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [
      {
        name: "markdown-page",
        resolveId: (id) => (id === "/page.svelte.js" ? id : undefined),
        load: (id) => (id === "/page.svelte.js" ? entry : undefined),
      },
      svelte({ configFile: false, compilerOptions: { runes: true } }),
    ],
    worker: { format: "es" },
    build: { write: false, target: "es2024", assetsInlineLimit: 0, rolldownOptions: { input: "/page.svelte.js" } },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ("output" in one ? one.output : []));
  const files = new Map(outputs.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]));
  const main = outputs.find((file) => file.type === "chunk" && file.isEntry)?.fileName;
  const sheets = outputs.filter((file) => file.fileName.endsWith(".css") && file.fileName.includes("page"));
  const html = `<!doctype html><meta charset="utf-8"><title>Markdown</title>${sheets.map((sheet) => `<link rel="stylesheet" href="/${sheet.fileName}">`).join("")}<main id="app"></main><script type="module" src="/${main}"></script>`;
  await page.route("http://markdown.test/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    const body = pathname === "/" ? html : files.get(pathname);
    const type =
      { ".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2" }[path.extname(pathname)] ?? "text/html";
    if (body === undefined) await route.fulfill({ status: 404, body: "" });
    else await route.fulfill({ body: typeof body === "string" ? body : Buffer.from(body), contentType: type });
  });
  await page.goto("http://markdown.test/");
  await page.waitForFunction("typeof show === 'function'");
}
