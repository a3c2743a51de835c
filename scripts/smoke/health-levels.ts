export interface SmokeOptions {
  /** Base address without a slash at the end. */
  url: string;
  /** API key or token; without one levels 2 and 3 fail. */
  key: string;
  /** The first model of the list when absent. */
  model?: string;
  /** What the model is asked to repeat. */
  word: string;
  /** Of each level, in ms. */
  timeoutMs: number;
  /** Stops after this level; 3 when absent. */
  upTo?: 1 | 2 | 3;
}

/** A level that was asked and did not pass; the message says why. */
class LevelFailure extends Error {}

/**
 * The contract's monitoring levels, in order; stops at the first failure, because later levels depend on it.
 * @param tell gets one line for each level that ran
 * @returns the level that failed, 0 if all passed
 */
export async function runHealthLevels(options: SmokeOptions, tell: (line: string) => void): Promise<0 | 1 | 2 | 3> {
  let model = options.model;
  const levels = [
    { level: 1, name: "the service is up", check: () => checkHealth(options) },
    {
      level: 2,
      name: "models are listed",
      async check() {
        const ids = await listModels(options);
        model ??= ids[0];
        return `${ids.length} listed`;
      },
    },
    { level: 3, name: "a model answers", check: () => complete(options, model ?? "") },
  ] as const;
  for (const { level, name, check } of levels.slice(0, options.upTo)) {
    const begin = performance.now();
    const took = () => `${Math.round(performance.now() - begin)} ms`;
    try {
      tell(`level ${level}: ok, ${name} (${await check()}), ${took()}`);
    } catch (error) {
      tell(`level ${level}: FAILED, ${explain(error, options)}, ${took()}`);
      return level;
    }
  }
  return 0;
}

async function checkHealth(options: SmokeOptions): Promise<string> {
  const { status } = await request(options, "/health");
  return `HTTP ${status}`;
}

async function listModels(options: SmokeOptions): Promise<string[]> {
  const { json } = await request(options, "/api/models", { headers: authorization(options) });
  const data = (json as { data?: unknown } | undefined)?.data;
  if (!Array.isArray(data)) throw new LevelFailure("the answer has no array `data`");
  if (data.length === 0)
    throw new LevelFailure("no model is listed: no provider can be reached, or this account has no access to models");
  return data.map((entry) => String((entry as { id?: unknown }).id));
}

async function complete(options: SmokeOptions, model: string): Promise<string> {
  const { json } = await request(options, "/api/chat/completions", {
    method: "POST",
    headers: { ...authorization(options), "content-type": "application/json" },
    body: JSON.stringify({
      model,
      stream: false,
      temperature: 0,
      messages: [{ role: "user", content: `Reply with this one word and nothing else: ${options.word}` }],
    }),
  });
  const reply = (json as { choices?: { message?: { content?: unknown } }[] } | undefined)?.choices?.[0]?.message
    ?.content;
  if (typeof reply !== "string") throw new LevelFailure(`${model} sent no message`);
  if (!reply.toLowerCase().includes(options.word.toLowerCase())) {
    throw new LevelFailure(
      `the reply of ${model} does not contain "${options.word}": ${JSON.stringify(reply.slice(0, 200))}`,
    );
  }
  return model;
}

function authorization(options: SmokeOptions): Record<string, string> {
  return options.key === "" ? {} : { authorization: `Bearer ${options.key}` };
}

async function request(
  options: SmokeOptions,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; json: unknown }> {
  const response = await fetch(options.url + path, { ...init, signal: AbortSignal.timeout(options.timeoutMs) });
  const body = await response.text();
  if (response.status !== 200)
    throw new LevelFailure(`HTTP ${response.status} from ${path}: ${body.slice(0, 300).trim() || "empty answer"}`);
  try {
    return { status: response.status, json: JSON.parse(body) };
  } catch {
    return { status: response.status, json: undefined };
  }
}

function explain(error: unknown, options: SmokeOptions): string {
  if (error instanceof LevelFailure) return error.message.replaceAll(/\s+/g, " ");
  if (error instanceof DOMException && error.name === "TimeoutError")
    return `no answer within ${options.timeoutMs / 1000} s`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
  return `${error instanceof Error ? error.message : String(error)}${cause === "" ? "" : ` (${cause})`}`;
}
