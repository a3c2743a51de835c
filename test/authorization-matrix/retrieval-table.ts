import {
  always,
  forId,
  insideOrganization,
  owner,
  ownerOrSystemAdmin,
  systemAdmin,
  type Cell,
  type Row,
} from "./cells.ts";

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
  // Private addresses are called for nobody.
  "POST /api/v1/retrieval/process/web": {
    say: () => ({ json: { url: "http://10.0.0.1/" } }),
    may: always(400),
  },
  // No provider is set up here: administrators are told so too.
  "POST /api/v1/retrieval/process/web/search": {
    say: () => ({ json: { queries: ["Ahoy"] } }),
    may: always(403),
  },
  "POST /api/v1/retrieval/web/try": { say: () => ({ json: { query: "Ahoy" } }), may: systemAdmin },
};
