import { inLanguage } from "../../../languages/app.ts";
import { locale } from "../../../lib/language.ts";

const count = new Intl.NumberFormat(locale);
const seconds = new Intl.NumberFormat(locale, { style: "unit", unit: "second", maximumFractionDigits: 1 });

/** Texts of running code. */
export const texts = inLanguage("chat/code-runs", {
  run: "Run",
  runOf: (language: string) => `Run this code (${language})`,
  again: "Run again",
  stop: "Stop",
  running: "The code is running",
  done: (time: number) => `Done after ${seconds.format(time)}`,
  stopped: "Stopped",
  failed: (name: string, message: string) => (message ? `${name}: ${message}` : name),
  failedAt: (name: string, message: string, line: number) =>
    message ? `Line ${count.format(line)}: ${name}: ${message}` : `Line ${count.format(line)}: ${name}`,
  tooSlow: (time: number) => `It took longer than ${seconds.format(time)} and was stopped.`,
  reasons: {
    timeout: "It took too long and was stopped.",
    stopped: "It used too much memory, or too much time without a pause, and was stopped.",
    paused: "Your code was stopped several times. Wait a minute and try again.",
  } as Record<string, string>,
  traceback: "Where it failed",
  output: "Output of the code",
  nothing: "It printed nothing.",
  cut: "More output is not shown.",
  result: "Result",
  files: "Files of the code",
  leftOut: (names: string) => `Too large, or one too many: ${names}`,
  download: "Download",
  downloadOf: (name: string) => `Download ${name}`,
  keep: "Keep in my files",
  keepOf: (name: string) => `Keep ${name} in my files`,
  kept: "Kept",
  keepFailed: (name: string) => `${name} couldn't be kept`,
  filesUnreadable: "Files of the chat couldn't be read, so the code runs without them.",
  unloaded: "The frame for the code could not be loaded.",
  tooMuch: "The code printed too much at once and was stopped.",
  unreachable: "The code couldn't be run",
  step: {
    running: "Runs code",
    done: "Ran code",
    failed: "Ran code that failed",
    code: "Code",
  },
});
