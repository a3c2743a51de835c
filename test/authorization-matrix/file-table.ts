import { always, both, everyone, owner, ownerOrSystemAdmin, systemAdmin, type Row } from "./cells.ts";

const list: Row = { may: everyone };
const file: Row = { ids: { id: "file" }, may: ownerOrSystemAdmin };
/** What is on its way is its sender's alone. */
const upload: Row = { ids: { id: "upload" }, may: owner };
const form = () => {
  const sent = new FormData();
  sent.append("file", new File(["Ahoy"], "ahoy.txt"));
  return sent;
};

/** Files and what comes of them, as rows of the table. */
export const fileTable: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(
    ["/api/v1/files", "/api/v1/files/"].flatMap((path) => [
      [`GET ${path}`, list],
      [`POST ${path}`, { say: () => ({ form: form() }), may: everyone }],
    ]),
  ),
  "GET /api/v1/files/search": { say: () => ({ query: { filename: "*" } }), may: everyone },
  "GET /api/v1/files/own": list,
  "GET /api/v1/files/count": list,
  "GET /api/v1/files/:id": file,
  "GET /api/v1/files/:id/content": file,
  "GET /api/v1/files/:id/data/content": file,
  "POST /api/v1/files/:id/data/content/update": { ...file, say: () => ({ json: { content: "Ahoy" } }) },
  "GET /api/v1/files/:id/process/status": file,
  "POST /api/v1/files/:id/process": file,
  "POST /api/v1/files/:id/rename": { ...file, say: () => ({ json: { filename: "b.txt" } }) },
  "DELETE /api/v1/files/:id": file,
  // Where it is used is its owner's business alone.
  "GET /api/v1/files/:id/uses": { ...file, may: owner },
  // A passage is looked for in the file that is named.
  "GET /api/v1/files/:id/passages/:chunk": { ids: { id: "file", chunk: "passage" }, may: owner },
  "PUT /api/v1/imports/:id/files/:file_id": {
    say: () => ({ query: { person_id: "ada", name: "a.txt" } }),
    may: both(systemAdmin, always(404)),
  },
  "POST /api/v1/files/uploads": { say: () => ({ json: { filename: "a.txt", size: 3 } }), may: everyone },
  "GET /api/v1/files/uploads/:id": upload,
  "PUT /api/v1/files/uploads/:id/parts/:number": {
    ids: { id: "upload", number: "version" },
    may: (cell) =>
      cell.id === "number" && cell.variant === "deleted"
        ? 400
        : cell.id === "number"
          ? cell.variant === "malformed"
            ? [400, 404, 422]
            : "ok"
          : owner(cell),
  },
  "POST /api/v1/files/uploads/:id/complete": upload,
  "DELETE /api/v1/files/uploads/:id": upload,
};
