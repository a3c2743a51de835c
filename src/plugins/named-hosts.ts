import type { PluginInfo, PluginLanguage } from "./plugin-host.ts";

/** Longest indentation of a text that describes. */
const maxIndent = 200;
/** So many are proposed; a source with more is a list of addresses. */
const maxHosts = 50;

/**
 * The hosts that a source names, as `checkHosts` writes them: those of addresses in its texts and in the defaults of its
 * valves. Comments and texts that only describe do not count. It is a proposal for people: what a source puts together
 * while it runs cannot be seen, and nothing is allowed by being named.
 */
export function findNamedHosts(
  source: string,
  language: PluginLanguage,
  info?: Pick<PluginInfo, "valveDefaults" | "userValvesSchema">,
): string[] {
  const hosts = new Set<string>();
  const texts = [...textsIn(source, language), ...textsOf(info?.valveDefaults), ...textsOf(info?.userValvesSchema)];
  for (const text of texts) {
    for (const [address] of text.matchAll(/\b(?:https?|wss?):\/\/[^\s"'`<>\\]{1,500}/gi)) {
      const host = hostOf(address);
      if (host !== undefined) hosts.add(host);
      if (hosts.size === maxHosts) return [...hosts].sort();
    }
  }
  return [...hosts].sort();
}

/** Undefined for one with a part that is filled in later. */
function hostOf(address: string): string | undefined {
  const [, host = ""] = /^\w+:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(address) ?? [];
  const plain = host.replace(/[),.;\]]+$/, "");
  if (!/^[\p{L}\p{N}_.-]+(?::\d{1,5})?$/u.test(plain)) return undefined;
  const http = address.replace(/^ws/i, "http");
  if (!URL.canParse(`http://${plain}`)) return undefined;
  const url = new URL(`${/^https/i.test(http) ? "https" : "http"}://${plain}`);
  return url.host;
}

/** Of the rest of a source one place is found in one pass, each kind of text in its own way. */
const tokens: Readonly<Record<PluginLanguage, RegExp>> = {
  python:
    /#[^\n]*|(?<triple>"""(?:[^\\]|\\.)*?"""|'''(?:[^\\]|\\.)*?''')|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/gs,
  javascript: /\/\/[^\n]*|\/\*.*?\*\/|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/gs,
};

function* textsIn(source: string, language: PluginLanguage): Generator<string> {
  for (const { 0: whole, index, groups } of source.matchAll(tokens[language])) {
    if (groups?.["text"] !== undefined) yield whole;
    // One that stands alone on its line describes the module, class or function.
    else if (groups?.["triple"] !== undefined && !standsAlone(source, index)) yield whole;
  }
}

function standsAlone(source: string, index: number): boolean {
  // Only so far back: a source may be one long line.
  const before = source.slice(Math.max(0, index - maxIndent), index);
  return before.length < maxIndent || before.includes("\n")
    ? /^\s*[rub]{0,2}$/i.test(before.slice(before.lastIndexOf("\n") + 1))
    : false;
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) yield* textsOf(each);
}
