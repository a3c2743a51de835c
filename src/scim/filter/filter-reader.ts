import { ScimError, type ScimType } from "../scim-error.ts";
import type { AttributeName, Filter, Operator } from "./filter.ts";

/** More than identity providers send, and less than hurts: one level is one call, one comparison one term of SQL. */
const limits = { characters: 32_768, levels: 40, comparisons: 1_000 };

const operators: ReadonlySet<string> = new Set(["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"]);
const coreUrn = /^urn:(?:ietf:params:)?scim:schemas:core:\d\.\d:(?:(?:user|group):)?/i;
const bareName = /^\$?[a-z][\w-]*(?:\.\$?[a-z][\w-]*)?$/i;

/** Reads a text from left to right, once: filters, and the paths of PATCH that have filters in them. */
export class FilterReader {
  private at = 0;
  private comparisons = 0;
  private readonly text: string;
  private readonly what: "filter" | "path";
  /** A broken filter in a path is an `invalidFilter` too (RFC 7644, table 9). */
  private fault: ScimType;

  /** @throws ScimError when the text is too long. */
  constructor(text: string, what: "filter" | "path") {
    this.text = text;
    this.what = what;
    this.fault = what === "path" ? "invalidPath" : "invalidFilter";
    if (text.length > limits.characters) {
      throw this.error(`The ${what} is longer than ${limits.characters} characters.`);
    }
  }

  /** A whole filter, from `(` or from `[` on. */
  filter(levels = 0, inValues = false): Filter {
    if (levels > limits.levels)
      throw this.error(`The filter is nested too deep: the limit is ${limits.levels} levels.`);
    const either = [this.all(levels, inValues)];
    while (this.skip(/\s*or(?![\w.:$-])/iy)) either.push(this.all(levels, inValues));
    return either.length === 1 ? either[0]! : { kind: "or", filters: either };
  }

  /** The name of an attribute with or without its URN. */
  name(): AttributeName {
    const start = this.at;
    const written = this.skip(/[a-z$][\w.:$-]*/iy);
    if (written === undefined) throw this.unexpected("an attribute name");
    const extension = /^urn:/i.test(written) && !coreUrn.test(written);
    const bare = written.replace(coreUrn, "");
    if (!extension && !bareName.test(bare)) {
      this.at = start;
      throw this.unexpected("an attribute name");
    }
    return { name: bare.toLowerCase(), written };
  }

  /** The matched text, or undefined where the (sticky) pattern does not match here. */
  skip(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  end(): void {
    this.skip(/\s*/y);
    if (this.at < this.text.length) throw this.unexpected("the end");
  }

  unexpected(expected: string): ScimError {
    const found = Array.from(this.text.slice(this.at, this.at + 48))
      .slice(0, 24)
      .join("");
    const shown = found === "" ? "the end" : JSON.stringify(found);
    return this.error(`At character ${this.at + 1} of the ${this.what}: expected ${expected}, found ${shown}.`);
  }

  private error(detail: string): ScimError {
    return new ScimError(this.fault, detail);
  }

  private all(levels: number, inValues: boolean): Filter {
    const every = [this.one(levels, inValues)];
    while (this.skip(/\s*and(?![\w.:$-])/iy)) every.push(this.one(levels, inValues));
    return every.length === 1 ? every[0]! : { kind: "and", filters: every };
  }

  private one(levels: number, inValues: boolean): Filter {
    this.skip(/\s*/y);
    if (this.skip(/\(/y)) return this.bracketed(levels, inValues);
    if (this.skip(/not\s*\(/iy)) return { kind: "not", filter: this.bracketed(levels, inValues) };
    const attribute = this.name();
    if (!inValues && this.skip(/\[/y)) return this.values(attribute, levels);
    return this.comparison(attribute);
  }

  private bracketed(levels: number, inValues: boolean): Filter {
    const filter = this.filter(levels + 1, inValues);
    if (!this.skip(/\s*\)/y)) throw this.unexpected('")", "and" or "or"');
    return filter;
  }

  /**
   * `type eq "work"]`, also with what Entra ID sends where such a path is its matching attribute: `emails[type eq "work"].value eq "x"`.
   */
  private values(attribute: AttributeName, levels: number): Filter {
    const filter = this.elementFilter(levels);
    if (!this.skip(/\./y)) return { kind: "values", attribute, filter };
    const further = this.comparison(this.name());
    return { kind: "values", attribute, filter: { kind: "and", filters: [filter, further] } };
  }

  /** What stands between `[` (already read) and `]`. */
  elementFilter(levels = 0): Filter {
    const { fault } = this;
    this.fault = "invalidFilter";
    const filter = this.filter(levels + 1, true);
    if (!this.skip(/\s*\]/y)) throw this.unexpected('"]", "and" or "or"');
    this.fault = fault;
    return filter;
  }

  private comparison(attribute: AttributeName): Filter {
    if (++this.comparisons > limits.comparisons) {
      throw this.error(`The filter has more than ${limits.comparisons} comparisons.`);
    }
    const start = this.at;
    const operator = this.skip(/\s+[a-z]+(?![\w.:$-])/iy)
      ?.trim()
      .toLowerCase();
    if (operator === "pr") return { kind: "present", attribute };
    if (operator === undefined || !operators.has(operator)) {
      this.at = start;
      this.skip(/\s*/y);
      throw this.unexpected("an operator (eq, ne, co, sw, ew, pr, gt, ge, lt, le)");
    }
    if (!this.skip(/\s+/y)) throw this.unexpected("a space and a value");
    return { kind: "compare", attribute, operator: operator as Operator, value: this.value() };
  }

  private value(): string | number | boolean | null {
    const start = this.at;
    const word = this.skip(/(?:true|false|null)(?![\w.:$-])/iy)?.toLowerCase();
    if (word !== undefined) return word === "null" ? null : word === "true";
    const number = this.skip(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.:$+-])/iy);
    if (number !== undefined && Number.isFinite(Number(number))) return Number(number);
    const string = readString(this.skip(/"[^"\\]*(?:\\.[^"\\]*)*"/sy));
    if (string !== undefined) return string;
    this.at = start;
    throw this.unexpected('a value ("text" in double quotes, a number, true, false or null)');
  }
}

/** What a JSON string says. No stored text has a NUL or half of a surrogate pair, and a database would change them silently. */
function readString(literal: string | undefined): string | undefined {
  if (literal === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === "string" && value.isWellFormed() && !value.includes("\0") ? value : undefined;
  } catch {
    return undefined;
  }
}
