/** By which API a model was asked; `task`: by the service itself beside an answer, such as for a title. */
export const usageApis = ["chat", "messages", "responses", "embeddings", "local", "task"] as const;
export type UsageApi = (typeof usageApis)[number];

/** `stopped`: the caller left or the run was stopped before the answer was whole. */
export const usageStates = ["done", "error", "stopped"] as const;
export type UsageState = (typeof usageStates)[number];
