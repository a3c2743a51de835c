import type { Attributes } from "../../xml/attributes.ts";
import type { XmlHandler } from "../../xml/read-xml.ts";

const maxAttributes = 20;
const maxAttributeLength = 500;
const maxDepth = 10;

/** Elements as lines: `name (attribute: value): text`, indented by their depth. Elements within a text are left in it. */
export class OutlineLines implements XmlHandler {
  #out: string[] = [];
  #depth = 0;
  /** How many of the open elements stand within a text. */
  #inline = 0;
  #head = "";
  #text: string[] = [];
  #hasText = false;

  open(name: string, attributes: Attributes): void {
    if (this.#hasText) {
      this.#inline++;
      return;
    }
    this.#endLine();
    const values = [...attributes.entries(maxAttributes)].map(
      ([key, value]) => `${key}: ${tidy(value).slice(0, maxAttributeLength)}`,
    );
    this.#head = `${indent(this.#depth)}${name}${values.length > 0 ? ` (${values.join(", ")})` : ""}`;
    this.#depth++;
  }

  close(): void {
    if (this.#inline > 0) {
      this.#inline--;
      return;
    }
    this.#endLine();
    this.#depth--;
  }

  text(text: string): void {
    if (!this.#hasText && text.trim() === "") return;
    this.#hasText = true;
    this.#text.push(text);
  }

  take(): string {
    const out = this.#out.join("");
    this.#out = [];
    // Of a long text, what is there; the rest goes on behind it.
    if (this.#text.length > 1000) this.#flushText();
    return out;
  }

  #endLine(): void {
    if (this.#head === "" && !this.#hasText) return;
    this.#flushText();
    this.#out.push("\n");
    this.#hasText = false;
  }

  #flushText(): void {
    const text = tidy(this.#text.join(""));
    const isBehind = this.#head === "" && this.#out.at(-1) !== "\n";
    this.#out.push(
      this.#head,
      text === "" ? "" : this.#head === "" ? `${isBehind ? " " : indent(this.#depth)}${text}` : `: ${text}`,
    );
    this.#head = "";
    this.#text = [];
  }
}

/** What is written in a drawing. */
export class DrawingLines implements XmlHandler {
  #out: string[] = [];
  #left = 0;

  open(name: string): void {
    if (this.#left > 0 || name === "style" || name === "script" || name === "metadata") this.#left++;
  }

  close(name: string): void {
    if (this.#left > 0) this.#left--;
    else if (name === "text" || name === "title" || name === "desc") this.#out.push("\n");
  }

  text(text: string): void {
    if (this.#left === 0 && text.trim() !== "") this.#out.push(text.replaceAll(/\s+/g, " "));
  }

  take(): string {
    const out = this.#out.join("");
    this.#out = [];
    return out;
  }
}

function indent(depth: number): string {
  return "  ".repeat(Math.min(depth, maxDepth));
}

function tidy(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
