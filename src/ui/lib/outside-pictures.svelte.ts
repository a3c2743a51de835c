import { SvelteSet } from "svelte/reactivity";
import { proxiedPicture } from "../../shared/outside-pictures.ts";
import { session } from "./session.svelte.ts";

/** How a picture is shown: by this address, as a button that asks for it, or only as a link. */
export type ShownPicture = { src: string } | "ask" | "link";

/** Pictures that lie on other sites. This page never calls those: the service fetches them, if the settings say so. */
class OutsidePictures {
  readonly #asked = new SvelteSet<string>();
  readonly #failed = new SvelteSet<string>();
  readonly #mode = $derived(session.config.outside_pictures ?? "link");

  /** @param address of any picture: those of this service and those in the text are shown as they are */
  show(address: string): ShownPicture {
    if (!isOutside(address)) return { src: address };
    if (this.#mode === "link" || this.#failed.has(address)) return "link";
    return this.#mode === "show" || this.#asked.has(address) ? { src: proxiedPicture(address) } : "ask";
  }

  /** The address for small pictures of the app's own, such as icons of plugins, whose authors know no text; undefined for none. */
  icon(address: string): string | undefined {
    if (!isOutside(address)) return address;
    return this.#mode === "link" ? undefined : proxiedPicture(address);
  }

  ask(address: string): void {
    this.#asked.add(address);
  }

  fail(address: string): void {
    this.#failed.add(address);
  }
}

export const outsidePictures = new OutsidePictures();

function isOutside(address: string): boolean {
  return /^[a-z][a-z\d+.-]*:|^[/\\]{2}/iu.test(address.trim()) && !/^(?:data|blob):/iu.test(address.trim());
}
