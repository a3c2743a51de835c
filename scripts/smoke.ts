import process from "node:process";
import { parseArgs } from "node:util";
import { runHealthLevels, type SmokeOptions } from "./smoke/health-levels.ts";

/**
 * npm run smoke -- --url URL --key KEY [--model MODEL] [--word WORD] [--timeout SECONDS]: the three health levels of the
 * contract, for monitors. One line a level; the exit code is the first level that failed, 0 when all passed. The key may
 * come in PARLEY_KEY instead, where the list of processes does not show it. 64: called wrongly.
 */
function readOptions(): SmokeOptions {
  const { values } = parseArgs({
    options: {
      url: { type: "string", default: "http://127.0.0.1:8080" },
      key: { type: "string", default: process.env["PARLEY_KEY"] ?? "" },
      model: { type: "string" },
      word: { type: "string", default: "pong" },
      timeout: { type: "string", default: "60" },
    },
  });
  const url = URL.parse(values.url);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`--url is "${values.url}", expected an http or https address`);
  if (!/^\d+$/.test(values.timeout) || values.timeout === "0")
    throw new Error(`--timeout is "${values.timeout}", expected seconds`);
  if (values.word === "") throw new Error("--word is empty, expected a word for the model to repeat");
  return {
    url: url.href.replace(/\/$/, ""),
    key: values.key,
    word: values.word,
    timeoutMs: Number(values.timeout) * 1000,
    ...(values.model === undefined ? {} : { model: values.model }),
  };
}

try {
  process.exitCode = await runHealthLevels(readOptions(), (line) => console.log(line));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 64;
}
