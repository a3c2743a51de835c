import type { Component } from "svelte";
import type { Citations } from "../../lib/markdown/cite.ts";
import type { MentionNames } from "../../lib/markdown/name-mentions.ts";

type MarkdownView = Component<{
  text: string;
  streaming?: boolean;
  citations?: Citations | undefined;
  breaks?: boolean;
  names?: MentionNames | undefined;
}>;

/**
 * The Markdown renderer, a third of the page's code, which no one needs before the first answer. Until it is there (or
 * when it cannot be loaded) answers show as the text they are.
 */
class RenderedMarkdown {
  view = $state.raw<MarkdownView | undefined>(undefined);
  #loading = false;

  load(): void {
    if (this.#loading) return;
    this.#loading = true;
    import("../../lib/markdown/Markdown.svelte").then(
      (module) => {
        this.view = module.default;
      },
      () => {
        this.#loading = false;
      },
    );
  }
}

export const renderedMarkdown = new RenderedMarkdown();
