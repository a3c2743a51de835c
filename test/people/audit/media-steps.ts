import type { Step, Values } from "./step.ts";

const set = (subject: string, body: Values): Step => ({
  who: "admin",
  route: `POST /api/v1/${subject}/config/update`,
  actions: ["settings.updated"],
  body: () => body,
});

/** Settings of web search, pictures and voice, as clients of Open WebUI change them. */
export const mediaSteps: Step[] = [
  set("retrieval", { web: { WEB_SEARCH_RESULT_COUNT: 3 } }),
  set("images", { IMAGE_SIZE: "512x512" }),
  set("audio", { stt: { MAX_SIZE: 5 } }),
];
