/** A source that is handed over to the editor of the next page; taken once. */
let held: { name: string; content: string } | undefined;

export function holdDraft(draft: { name: string; content: string }): void {
  held = draft;
}

export function takeDraft(): { name: string; content: string } | undefined {
  const draft = held;
  held = undefined;
  return draft;
}
