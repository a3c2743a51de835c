const holders = new Set<() => boolean>();

/** True while any form on the page holds changes that are not saved. */
export function isDirty(): boolean {
  for (const holds of holders) if (holds()) return true;
  return false;
}

/**
 * Lets a form say whether it holds unsaved changes; leaving the page then asks first. Call while a component is set up.
 * @param holds answers for this form, at the time of asking
 */
export function guardUnsaved(holds: () => boolean): void {
  $effect(() => {
    holders.add(holds);
    return () => holders.delete(holds);
  });
}
