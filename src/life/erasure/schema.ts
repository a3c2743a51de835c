export const erasureStates = ["running", "failed", "done"] as const;
