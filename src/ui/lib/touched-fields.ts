/** The fields of a form that differ from what it began with: the others may have been changed by somebody else meanwhile. */
export function touchedFields<T extends object>(draft: T, first: T): Partial<T> {
  const before = new Map(Object.entries(first));
  return Object.fromEntries(Object.entries(draft).filter(([name, value]) => value !== before.get(name))) as Partial<T>;
}
