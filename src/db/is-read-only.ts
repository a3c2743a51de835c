/** Whether a statement surely writes nothing, by its words: what may write takes the lock that writers wait for. */
export function isReading(sql: string): boolean {
  return (
    /^\s*(?:select|explain)\b/i.test(sql) ||
    (/^\s*with\b/i.test(sql) && !/\b(?:insert|update|delete|replace)\b/i.test(sql))
  );
}
