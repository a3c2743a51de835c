import path from "node:path";

/**
 * The folders of `src/` from the floor up. Files of a slice import values only from slices before their own; types may
 * come from anywhere. ARCHITECTURE.md says what each slice is for.
 */
export const sliceOrder = [
  "lib",
  "shared",
  "db",
  "http",
  "blobs",
  "jobs",
  "upstream",
  "pictures",
  "people",
  "machine",
  "usage",
  "plugins",
  "models",
  "stored-chats",
  "documents",
  "web",
  "images",
  "audio",
  "settings",
  "webhooks",
  "mail",
  "memories",
  "chat",
  "feedback",
  "local-models",
  "channels",
  "prompts",
  "scim",
  "life",
  "imports",
  "events",
  "health",
  "metrics",
  "docs",
  "compose",
] as const;

export interface OrderException {
  /** The slice that imports, and the later one that it imports from. */
  from: string;
  to: string;
  /** The importing files. */
  files: readonly string[];
  reason: string;
}

/** Imports against the order. This list may only get shorter: one that is not needed fails the check too. */
export const orderExceptions: readonly OrderException[] = [
  {
    from: "plugins",
    to: "models",
    files: ["src/plugins/list-plugins.ts", "src/plugins/transfer/export-plugins.ts"],
    reason: "The catalog's snapshot already holds all plugins, because pipes are models: lists cost no round trip.",
  },
  {
    from: "models",
    to: "documents",
    files: [
      "src/models/catalog/catalog-snapshot.ts",
      "src/models/stored-models/model-statements.ts",
      "src/models/stored-models/stored-models.ts",
      "src/models/stored-models/transfer-models.ts",
    ],
    reason: "A model's knowledge is saved and loaded with the model, in one batch; embeddings in turn need models.",
  },
];

/** The slice of a file, or undefined for files of src/ itself, of the UI, and outside of src/. */
export function sliceOf(file: string): string | undefined {
  const [root, folder, ...rest] = file.split("/");
  return root === "src" && folder !== undefined && folder !== "ui" && rest.length > 0 ? folder : undefined;
}

/** Why `file` may not import values from `target`, or undefined when it may. Both are paths from the project's root. */
export function findOrderBreach(file: string, target: string): string | undefined {
  const [from, to] = [sliceOf(file), sliceOf(target)];
  if (from === undefined || to === undefined || from === to) return undefined;
  const [at, needed] = [placeOf(from), placeOf(to)];
  if (at < 0 || needed < 0)
    return `${at < 0 ? from : to} has no place in the order of slices (scripts/lint/slice-order.ts)`;
  if (needed < at) return undefined;
  if (orderExceptions.some((exception) => exception.to === to && exception.files.includes(file))) return undefined;
  return `${from} stands before ${to} in the order of slices: move what both need, or pass it in through src/compose/registry.ts`;
}

function placeOf(slice: string): number {
  return (sliceOrder as readonly string[]).indexOf(slice);
}

/** Where a relative import leads, as a path from the project's root; undefined for packages. */
export function targetOf(file: string, specifier: string): string | undefined {
  return specifier.startsWith(".") ? path.posix.join(path.posix.dirname(file), specifier) : undefined;
}
