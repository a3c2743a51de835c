import { forId, insideOrganization, owner, ownerOrSystemAdmin, type Cell, type Row } from "./cells.ts";

/** One's own; of administrators all that their organization has, of system administrators all there is. */
const readerOfBase = (cell: Cell) => (cell.caller.includes("admin") ? insideOrganization(cell) : owner(cell));

/** Questions to files and knowledge bases. */
export const retrievalTable: Readonly<Record<string, Row>> = {
  "POST /api/v1/retrieval/query/doc": {
    ids: { file: "file" },
    say: ({ file }) => ({ json: { collection_name: `file-${file}`, query: "Ahoy" } }),
    may: ownerOrSystemAdmin,
  },
  "POST /api/v1/retrieval/query/collection": {
    ids: { file: "file", base: "knowledge base" },
    say: ({ file, base }) => ({ json: { collection_names: [base, `file-${file}`], query: "Ahoy" } }),
    may: forId({ file: ownerOrSystemAdmin }, readerOfBase),
  },
};
