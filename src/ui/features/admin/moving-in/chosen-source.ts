import type { Uploads } from "../../../../shared/moving-in/row-source.ts";

/** What the memory of a page holds well, in bytes. */
export const maxDatabaseBytes = 500_000_000;

/** What somebody has chosen: a database, and the uploaded files if they chose the whole folder. */
export interface ChosenSource {
  database: File;
  /** Files of the folder `uploads`, by their names. */
  uploads: ReadonlyMap<string, File>;
  /** Whether Open WebUI still writes: then some of its data is not in the database file. */
  isInUse: boolean;
}

/** Undefined where there is no database among the files. */
export function readChoice(files: readonly File[]): ChosenSource | undefined {
  const [only] = files;
  const database = files.length === 1 ? only : files.find(({ name }) => name === "webui.db");
  if (!database) return undefined;
  const log = files.find(({ name }) => name === `${database.name}-wal`);
  const uploads = files.filter(({ webkitRelativePath }) => webkitRelativePath.split("/").at(-2) === "uploads");
  return {
    database,
    uploads: new Map(uploads.map((file) => [file.name, file])),
    isInUse: log !== undefined && log.size > 0,
  };
}

export function chosenUploads({ uploads }: ChosenSource): Uploads {
  return {
    async open(path) {
      const file = uploads.get(path.split(/[/\\]/).at(-1)!);
      return file && { size: file.size, body: file };
    },
  };
}
