import type { Step } from "./step.ts";

const form = () => {
  const sent = new FormData();
  sent.append("file", new File(["Ahoy"], "ahoy.txt"));
  return sent;
};

/** Files: uploaded, renamed, given another text, read again, deleted. */
export const fileSteps: Step[] = [
  ...["/api/v1/files", "/api/v1/files/"].map((path): Step => ({
    who: "ada",
    route: `POST ${path}`,
    actions: ["file.uploaded"],
    makes: "file",
    form,
  })),
  {
    who: "ada",
    route: "POST /api/v1/files/:id/rename",
    actions: ["file.renamed"],
    of: "file",
    body: () => ({ filename: "b.txt" }),
  },
  {
    who: "ada",
    route: "POST /api/v1/files/:id/data/content/update",
    actions: ["file.content_updated"],
    of: "file",
    body: () => ({ content: "Ahoy there" }),
  },
  {
    who: "ada",
    route: "POST /api/v1/files/:id/process",
    actions: ["file.process_requested"],
    of: "file",
    body: () => ({}),
  },
  { who: "admin", route: "DELETE /api/v1/files/:id", actions: ["file.deleted"], of: "file" },
];
