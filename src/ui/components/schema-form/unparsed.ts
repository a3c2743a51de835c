/** What was typed where a number or JSON is expected and is neither yet. It stands in the values so that it is not lost, and never passes the check. */
export class Unparsed {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
