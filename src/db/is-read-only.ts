/** Whether a statement certainly writes nothing, judged by its keywords: others take the write lock. */
export function isReadOnly(sql: string): boolean {
  return (
    /^\s*(?:select|explain)\b/i.test(sql) ||
    (/^\s*with\b/i.test(sql) && !/\b(?:insert|update|delete|replace)\b/i.test(sql))
  );
}
