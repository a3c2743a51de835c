import type { PluginLog } from "../../src/plugins/plugin-host.ts";

/** A call may say so much beside its result; what comes later is not kept. */
const maxLogs = 1000;
const maxLogCharacters = 256_000;

/** What one call printed. */
export class CallLogs {
  readonly all: PluginLog[] = [];
  #characters = 0;

  add(level: PluginLog["level"], text: string): void {
    if (this.all.length > maxLogs || this.#characters > maxLogCharacters) return;
    this.#characters += text.length + 20;
    const isFull = this.all.length === maxLogs || this.#characters > maxLogCharacters;
    this.all.push(isFull ? { level: "warning", text: "More output was dropped" } : { level, text });
  }

  forget(): void {
    this.all.length = 0;
    this.#characters = 0;
  }
}
