import { at } from "../base-path.ts";
import { actionButtons } from "./code-actions.ts";
import { placePicture } from "./place-picture.ts";
import { texts } from "./texts.ts";

/**
 * Gives sanitised content what Markdown cannot say: safe links, lazy images, a direction of its own for every block,
 * tables that scroll inside their own box, and code with its language and its buttons. Changes `content` in place.
 */
export function dress(content: DocumentFragment): void {
  for (const child of content.children) if (!(child instanceof HTMLPreElement)) child.setAttribute("dir", "auto");
  for (const image of content.querySelectorAll("img")) {
    image.loading = "lazy";
    image.decoding = "async";
    image.referrerPolicy = "no-referrer";
    const { picture } = image.dataset;
    if (picture !== undefined) placePicture(image, picture);
  }
  for (const link of content.querySelectorAll("a")) dressLink(link);
  for (const box of content.querySelectorAll<HTMLInputElement>("input")) dressTaskBox(box);
  for (const table of content.querySelectorAll("table")) wrapTable(table);
  for (const pre of content.querySelectorAll("pre")) wrapCode(pre);
}

/** Links out open in a tab of their own and learn nothing about this page; links within the app stay in it. */
function dressLink(link: HTMLAnchorElement): void {
  const address = link.getAttribute("href");
  if (address === null) return;
  link.setAttribute("href", at(address));
  if (link.origin === location.origin && link.protocol.startsWith("http")) return;
  link.target = "_blank";
  link.rel = "noopener noreferrer nofollow";
}

function dressTaskBox(box: HTMLInputElement): void {
  if (box.type !== "checkbox") {
    box.remove();
    return;
  }
  box.disabled = true;
  box.ariaLabel = box.checked ? texts.taskDone : texts.taskOpen;
  box.closest("li")?.setAttribute("data-task", "");
}

function wrapTable(table: HTMLTableElement): void {
  const box = document.createElement("div");
  box.className = "table-scroll";
  box.tabIndex = 0;
  // A name for screen readers; not a landmark, because a page with many tables would have too many.
  box.role = "group";
  box.ariaLabel = texts.table;
  box.dir = "auto";
  table.replaceWith(box);
  box.append(table);
}

function wrapCode(pre: HTMLPreElement): void {
  const language = pre.dataset["language"] ?? "";
  const box = document.createElement("div");
  box.className = "code";
  box.dir = "ltr";
  const head = document.createElement("div");
  head.className = "code-head";
  const label = document.createElement("span");
  label.textContent = language || texts.plainCode;
  const buttons = document.createElement("div");
  buttons.className = "code-buttons";
  buttons.append(...actionButtons(language));
  head.append(label, buttons);
  pre.tabIndex = 0;
  pre.role = "group";
  pre.ariaLabel = language ? texts.codeIn(language) : texts.code;
  pre.replaceWith(box);
  // The head stays in view as far as the listing goes; what comes of the code stands below it.
  const listing = document.createElement("div");
  listing.append(head, pre);
  box.append(listing);
}
