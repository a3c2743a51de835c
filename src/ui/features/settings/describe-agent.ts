import { texts } from "./texts.ts";

/**
 * A person's words for a User-Agent header: "Firefox on Linux". Undefined when there is nothing to go by. The order
 * matters: Edge and Opera also call themselves Chrome, and Chrome also calls itself Safari.
 */
export function describeAgent(agent: string): { name: string; kind: "screen" | "phone" | "link" } | undefined {
  if (!agent) return undefined;
  const system = first(agent, systems);
  const browser = first(agent, browsers);
  if (!browser) {
    const app = /^[\w.-]+/.exec(agent)?.[0];
    return app ? { name: app, kind: "link" } : undefined;
  }
  const kind = system === "Android" || system === "iPhone" || system === "iPad" ? "phone" : "screen";
  return { name: system ? texts.sessions.agent(browser, system) : browser, kind };
}

const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
];

function first(agent: string, table: [RegExp, string][]): string | undefined {
  return table.find(([pattern]) => pattern.test(agent))?.[1];
}
