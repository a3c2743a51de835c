import { tick } from "svelte";
import { type MentionMark, putMention } from "./find-mention.ts";
import { addName, type DraftNames, fromWire, type Named, toWire } from "./mention-draft.ts";
import type MentionPopup from "./MentionPopup.svelte";

/** A text in a field, in which names stand for the codes that are sent, with the list of names that may be open above it. */
export class MentionText {
  /** As it is written. */
  text = $state("");
  #names = $state.raw<DraftNames>(new Map());
  /** The list, while it is there. */
  popup = $state<ReturnType<typeof MentionPopup>>();
  /** Of the list: for the field that its keys are typed in. */
  open = $state(false);
  active = $state<string>();

  /** As it is sent. */
  get wire(): string {
    return toWire({ text: this.text, names: this.#names });
  }

  set wire(content: string) {
    ({ text: this.text, names: this.#names } = fromWire(content));
  }

  /** To be called when the text or the caret is another one. */
  look(field: HTMLTextAreaElement | undefined): void {
    const caret = field?.selectionStart === field?.selectionEnd ? field?.selectionEnd : undefined;
    this.popup?.look(this.text, caret, this.#names);
  }

  /** To be called when the field is left. */
  leave(): void {
    this.popup?.look(this.text, undefined, this.#names);
  }

  /** Gives a key of the field to the list. Returns whether the list has used it up. */
  take(event: KeyboardEvent): boolean {
    if (!this.popup?.take(event)) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Puts a name in the place of what was written of it; resolves when the field shows it. */
  async choose(mark: MentionMark, named: Named, field: HTMLTextAreaElement | undefined): Promise<void> {
    const added = addName(this.#names, named);
    this.#names = added.names;
    const put = putMention(this.text, mark, added.shown);
    this.text = put.text;
    await tick();
    field?.focus();
    field?.setSelectionRange(put.caret, put.caret);
  }
}
