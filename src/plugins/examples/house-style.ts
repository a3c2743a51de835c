/**
 * title: House style
 * description: Tells every model what day it is, how the house writes, and how each person likes to be answered.
 * version: 1.0.0
 */

interface Message {
  role: string;
  content: unknown;
}

interface Body {
  messages: Message[];
  [name: string]: unknown;
}

class Valves {
  /** Filters with a lower number run first. */
  priority: number = 0;
  /** Rules that hold for all answers, such as: Write British English. Never use emojis. */
  rules: string = "";
  /** Whether models are told the date. */
  tell_date: boolean = true;
}

class UserValves {
  /** Language of the answers, such as Portuguese; empty: the language of the question. */
  language: string = "";
  /** How long answers are. */
  length: "as needed" | "short" | "thorough" = "as needed";
}

export default class Filter {
  valves = new Valves();

  inlet(body: Body, __user__: { valves?: Partial<UserValves> }): Body {
    const { language = "", length = "as needed" } = __user__.valves ?? {};
    const lines = [
      this.valves.tell_date ? `Today is ${new Date().toISOString().slice(0, 10)}.` : "",
      this.valves.rules,
      language && `Answer in ${language}.`,
      length === "short" ? "Keep answers short." : "",
      length === "thorough" ? "Be thorough, and show how you got there." : "",
    ].filter((line) => line !== "");
    if (lines.length === 0) return body;
    const said = lines.join("\n");
    const first = body.messages[0];
    const isSystem = first?.role === "system" && typeof first.content === "string";
    const system = { role: "system", content: isSystem ? `${String(first.content)}\n\n${said}` : said };
    return { ...body, messages: [system, ...body.messages.slice(isSystem ? 1 : 0)] };
  }
}
