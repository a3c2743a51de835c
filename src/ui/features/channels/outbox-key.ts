/** Where the messages on their way are kept in this browser, per person. */
export function outboxKey(person: string): string {
  return `parley:outbox:${person}`;
}

/** Whether there are any. */
export function hasOutbox(person: string): boolean {
  try {
    return localStorage.getItem(outboxKey(person)) !== null;
  } catch {
    return false;
  }
}
