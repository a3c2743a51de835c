import { at } from "../base-path.ts";
import { outsidePictures } from "../outside-pictures.svelte.ts";
import { texts } from "./texts.ts";

/**
 * Puts something in the place of a picture that lies on another site: the picture as the service hands it on, a button
 * that asks for it, or a link. To load it at once would let whatever wrote the text send what the chat holds to any
 * site, in the picture's address.
 */
export function placePicture(image: HTMLImageElement, address: string): void {
  const shown = outsidePictures.show(address);
  if (typeof shown === "object") {
    image.addEventListener("error", () => outsidePictures.fail(address), { once: true });
    image.title ||= texts.pictureFrom(hostOf(address));
    image.src = at(shown.src);
    return;
  }
  const link = document.createElement("a");
  link.href = at(address);
  if (image.title) link.title = image.title;
  // Within a link neither a link nor a button can stand.
  const around = image.closest("a");
  if (shown === "link" || around) {
    link.textContent = texts.picture(image.alt, hostOf(address));
    if (around) {
      around.after(" ", link);
      image.replaceWith(image.alt || around.href);
    } else image.replaceWith(link);
    return;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.dataset["picture"] = address;
  button.textContent = texts.showPicture(image.alt, hostOf(address));
  button.title = texts.showPictureHint;
  link.textContent = texts.openPicture;
  link.ariaLabel = texts.openPictureOf(hostOf(address));
  const box = document.createElement("span");
  box.className = "outside-picture";
  box.append(button, link);
  image.replaceWith(box);
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
