import { mount, unmount } from "svelte";
import type { CodeScope } from "./code-tools.svelte.ts";
import CodeTools from "./CodeTools.svelte";

/** Languages that something can be done with; for others no tools are made. */
const useful = /^(?:html?|xhtml|xml|svg|css|js|javascript|mjs|jsx|tsx|react|csv|tsv|mermaid|py|python|python3|pycon)$/u;

/** Gives each block of code in an answer its tools, and takes them away with it. A block that is still arriving has none. */
export function dressCode(element: HTMLElement, scope: () => CodeScope): { dress(): void; end(): void } {
  const dressed = new Map<Element, { host: HTMLElement; tools: Record<string, unknown> }>();
  return {
    dress() {
      for (const [box, { host, tools }] of dressed) {
        if (element.contains(box) && box.contains(host)) continue;
        void unmount(tools);
        dressed.delete(box);
      }
      const { running } = scope();
      const blocks = [...element.querySelectorAll(".code")];
      for (const box of blocks) {
        const pre = box.querySelector<HTMLElement>("pre[data-language]");
        const language = pre?.dataset["language"]?.toLowerCase() ?? "";
        if (!pre || dressed.has(box) || !useful.test(language)) continue;
        if (running && isArriving(box)) continue;
        const host = document.createElement("div");
        host.dir = "auto";
        if (language === "mermaid") pre.before(host);
        else box.append(host);
        const code = (pre.querySelector("code")?.textContent ?? "").replace(/\n$/u, "");
        dressed.set(box, { host, tools: mount(CodeTools, { target: host, props: { scope, language, code, pre } }) });
      }
    },
    end() {
      for (const { tools } of dressed.values()) void unmount(tools);
      dressed.clear();
    },
  };
}

/** Whether it is in the last block of the text, whose end has not come. */
function isArriving(box: Element): boolean {
  const block = box.closest(".block");
  return block !== null && block.nextElementSibling === null;
}
