import type { HelpPage } from "../guide-page.ts";

export const health: HelpPage = {
  title: "Health and monitoring",
  keywords: "health monitor monitoring uptime status probe check smoke ci alive ready database alert",
  links: [{ label: "Health", path: "/admin/health" }],
  sections: [
    {
      heading: "Three levels",
      text: "1. `GET /health` needs no sign-in: 200 when the service is ready, its schema current and the database answers; 503 with a reason otherwise.\n2. `GET /api/models` with a token: an empty list means that no provider can be reached; those that do not answer are named in the header `x-parley-unreachable`.\n3. A short chat completion proves the whole way to a model.\n\n[Health](/admin/health) shows them to administrators.",
    },
    {
      heading: "From a monitor or CI",
      text: "`npm run smoke -- --url http://127.0.0.1:8080 --key TOKEN` runs the three levels, one line each with its time; the exit code is the first level that failed, 0 for none. `--model` chooses the model.",
    },
  ],
};
