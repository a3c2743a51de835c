/** Small plugins that tests store. */
export const echoPipe = `/**
 * title: Echo
 * description: Says it again
 * version: 0.1.0
 */
export class Pipe {
  pipe(body) { return "echo " + (body?.text ?? ""); }
}
`;

export const politeFilter = `/**
 * title: Polite
 * description: Adds a please
 */
class Valves {
  /** Sooner than others when lower. */
  priority: number = 3;
  /** @secret */
  apiKey: string = "";
  /** @min 1 @max 5 @integer */
  days: number = 2;
  word: "please" | "kindly" = "please";
  on: boolean = true;
}
class UserValves {
  tone: string = "warm";
  loud: boolean = false;
}
export class Filter {
  valves = new Valves();
  inlet(body, __user__) { return { ...body, said: this.valves.word, tone: __user__?.valves?.tone }; }
}
`;

export const adderTools = `/**
 * title: Adder
 * description: Adds numbers
 */
class Valves { unit: string = "apples"; }
class UserValves { name: string = "nobody"; }
export class Tools {
  valves = new Valves();
  /**
   * Adds two numbers.
   * @param a the first
   * @param b the second
   */
  async add(a: number, b: number, __user__: any, __event_emitter__: any): Promise<string> {
    await __event_emitter__({ type: "status", data: { description: "adding", done: true } });
    console.log("adding", a, b);
    return \`\${a + b} \${this.valves.unit} for \${__user__?.valves?.name}\`;
  }
  async ask(__event_call__: any): Promise<string> {
    const yes = await __event_call__({ type: "confirmation", data: { title: "Sure?", message: "Really" } });
    return yes ? "went on" : "stopped";
  }
  fail(): string { throw new Error("no such luck"); }
}
`;
