import type { PluginCall, PluginHost, PluginLanguage, PluginResult } from "../../src/plugins/plugin-host.ts";
import { createNodePluginHost } from "./node-plugin-host.ts";

interface Asked {
  events: unknown[];
  questions: unknown[];
  requests: [string, unknown][];
  chunks: unknown[];
}

export interface CallOptions extends Partial<PluginCall> {
  valves?: Record<string, unknown>;
  /** Asks for chunks. */
  streams?: boolean;
  /** What the person answers. */
  answer?: unknown;
  /** Another one is another isolate. */
  fingerprint?: string;
  hosts?: string[];
  plugin?: string;
  language?: PluginLanguage;
  /** Plugins with the same one share a process. */
  wall?: string;
}

/** The code of a source. @throws Error with its problems */
export async function compile(host: PluginHost, source: string): Promise<string> {
  const { code, problems } = await host.describe(source, []);
  if (code === undefined) throw new Error(JSON.stringify(problems));
  return code;
}

/** Calls one function, and says all that came of it. */
export async function callCode(
  host: PluginHost,
  code: string,
  method: string,
  args: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<PluginResult & Asked> {
  const asked: Asked = { events: [], questions: [], requests: [], chunks: [] };
  const session = host.open({
    plugin: options.plugin ?? "tool/test",
    ...(options.wall === undefined ? {} : { wall: options.wall }),
    fingerprint: options.fingerprint ?? crypto.randomUUID(),
    language: options.language ?? "javascript",
    hosts: options.hosts ?? [],
    load: () => Promise.resolve({ code, valves: options.valves ?? {}, packages: [] }),
  });
  try {
    const result = await session.call({
      method,
      args,
      reserved: {},
      signal: new AbortController().signal,
      timeoutMs: 20_000,
      capabilities: {
        emit: async (event) => void asked.events.push(event),
        call: async (event) => {
          asked.questions.push(event);
          return options.answer;
        },
        request: async (name, given) => {
          asked.requests.push([name, given]);
          if (name === "user.get" && given["id"] === "other") throw new Error("Not found");
          return { name };
        },
      },
      ...(options.streams ? { onChunk: (value) => void asked.chunks.push(value) } : {}),
      ...options,
    });
    return { ...result, ...asked };
  } finally {
    session.close();
  }
}

const nodeHost = createNodePluginHost();

/** Describes a source and calls one of its functions in this process. */
export async function callSource(
  source: string,
  method: string,
  args: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<PluginResult & Asked> {
  return callCode(nodeHost, await compile(nodeHost, source), method, args, options);
}

/** A TypeScript plugin with a bit of everything. */
export const weather = `
/**
 * title: Weather
 * author: Ada
 * version: 1.2.0
 * description: What it is like outside
 */
import type { Something } from "elsewhere";

class Valves {
  /** Sooner than others when lower. */
  priority = 0;
  /**
   * Key of the service.
   * @secret
   */
  apiKey: string = "";
  units: "metric" | "imperial" = "metric";
  /** @min 1 @max 5 */
  days: number;
}

class UserValves {
  /** Where one is when nothing else is said. */
  home?: string;
}

interface Place { city: string; country?: string }
enum Kind { Hourly = "hourly", Daily = "daily" }

export default class Tools {
  valves = new Valves();
  #secret = 1;

  /**
   * The weather of today.
   * @param city Name of the city
   * @param days How far ahead
   */
  async today(city: string, days = 3, __user__?: { name: string }, kind: Kind = Kind.Daily): Promise<string> {
    return \`\${city} \${days} \${__user__?.name} \${kind} \${this.valves.units}\`;
  }

  nested({ place, tags = ["a"], __event_emitter__ }: { /** Where */ place: Place; tags?: string[]; __event_emitter__: unknown }) {
    return [place.city, tags, typeof __event_emitter__];
  }

  arrow = (maybe: string | null, either?: number | string, map?: Record<string, boolean>) => maybe;

  private hidden() {}
  _internal() {}
}
`;
