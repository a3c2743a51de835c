/**
 * title: Rewrite
 * description: A button under answers: asks how to change the answer, lets the same model do it, and puts the new text in its place.
 * version: 1.0.0
 */

interface Body {
  model: string;
  messages: { role: string; content: string }[];
}

interface Service {
  complete(body: object): Promise<{ choices: { message: { content: string } }[] }>;
}

class Valves {
  /** What stands in the question when it opens. */
  suggestion: string = "Half as long, same facts";
}

export default class Action {
  valves = new Valves();

  async action(
    body: Body,
    __service__: Service,
    __event_emitter__: (event: object) => Promise<void>,
    __event_call__: (event: object) => Promise<unknown>,
  ): Promise<void> {
    const answer = body.messages.findLast(({ role }) => role === "assistant")?.content ?? "";
    const wish = await __event_call__({
      type: "input",
      data: {
        title: "Rewrite this answer",
        message: "How should it change?",
        placeholder: "Shorter, simpler, as a table …",
        value: this.valves.suggestion,
      },
    });
    if (typeof wish !== "string" || wish.trim() === "") return;
    const status = (description: string, done: boolean) =>
      __event_emitter__({ type: "status", data: { description, done } });
    await status("Rewriting", false);
    try {
      const { choices } = await __service__.complete({
        model: body.model,
        messages: [
          { role: "system", content: "You rewrite texts. Answer with the new text and nothing else." },
          { role: "user", content: `Change the text below like this: ${wish}\n\n${answer}` },
        ],
      });
      await __event_emitter__({ type: "replace", data: { content: choices[0]?.message.content ?? answer } });
      await status("Rewritten", true);
    } catch (error) {
      await status(`It could not be rewritten: ${(error as Error).message}`, true);
    }
  }
}
