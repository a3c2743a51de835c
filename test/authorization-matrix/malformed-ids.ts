/** Ids that nothing has, in forms that have broken services. */
export const malformed = [
  "not-an-id",
  "%",
  "'; DROP TABLE users; --",
  "x".repeat(3000),
  "\u{1F600}\u0000",
  "0",
  "null",
  "-1",
];
