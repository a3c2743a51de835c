import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, json } from "../../db/columns.ts";

/**
 * Passages of files. No foreign key: a file that goes leaves a row in `dropped_chunks`, and its passages, which nobody finds
 * from then on, are taken away a few at a time.
 */
export const fileChunks = sqliteTable(
  "file_chunks",
  {
    /** Made of the number of its text and its position (see chunk-number.ts). What the search index and the vectors point at. */
    number: integer("number").primaryKey(),
    fileId: text("file_id").notNull(),
    /** Counts only while it is the file's. */
    version: integer("version").notNull(),
    /** From 0, in the order of the text. */
    position: integer("position").notNull(),
    text: text("text").notNull(),
    /** Headings above it, outermost first; also a sheet's name. */
    headings: json<string[]>("headings").notNull(),
    /** Page or slide, from 1; null where there are none. */
    page: integer("page"),
    /** What the page or sheet is called, where that is not its number. */
    label: text("label"),
    /** Where it stands in the file's text, UTF-16 units. */
    start: integer("start").notNull(),
    end: integer("end").notNull(),
    /** Estimated. */
    tokens: integer("tokens").notNull(),
  },
  (table) => [uniqueIndex("file_chunks_position").on(table.fileId, table.version, table.position)],
);

/** Chunks to take away: all of a file, or those of one version. */
export const droppedChunks = sqliteTable(
  "dropped_chunks",
  {
    fileId: text("file_id").notNull(),
    /** -1 for all. */
    version: integer("version").notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.version] })],
);

/** One embedding model as it was used: vectors of two spaces cannot be compared. */
export const embeddingSpaces = sqliteTable(
  "embedding_spaces",
  {
    /** Never given twice: what is still on its way to a space that has gone must not end up in another. */
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Id of the model in the catalogue, and the prefix that texts got. */
    model: text("model").notNull(),
    prefix: text("prefix").notNull().default(""),
    /** What questions get; it changes no vector that is stored. */
    queryPrefix: text("query_prefix").notNull().default(""),
    /** Null until the first vector came. */
    dimension: integer("dimension"),
    /** At most one of each of the first two; the others are being taken away. A building one serves when it is complete. */
    state: text("state", { enum: ["serving", "building", "dropped"] }).notNull(),
    /** Why building stands still, in words for people; null while it goes on. */
    error: text("error"),
    createdAt: createdAt(),
  },
  (table) => [index("embedding_spaces_state").on(table.state)],
);

/**
 * Vectors of passages. A space with many has cells: a vector lies in that of the nearest centre, and a search looks only into
 * the nearest few. What has not been put anywhere yet lies in the space's open cell, which is always looked into.
 *
 * Why it looks like this (measured in sqld 0.24.32, 384 dimensions, a scan of 20,000): bytes (F8) 17 ms, float32 46 ms, both
 * as rows with an integer key, whose pages hold rows of up to 4 KB side by side; without a rowid everything over 1 KB spills.
 */
export const chunkVectors = sqliteTable(
  "chunk_vectors",
  {
    /** The cell in the high 31 bits, a running number in the low 32: vectors of a cell lie side by side. Only for SQL. */
    key: integer("key").primaryKey(),
    spaceId: integer("space_id").notNull(),
    chunk: integer("chunk").notNull(),
    /** libSQL's FLOAT8, as `vector8` makes it. */
    vector: blob("vector").notNull(),
  },
  (table) => [uniqueIndex("chunk_vectors_chunk").on(table.spaceId, table.chunk)],
);

/** Cells of all spaces. In keys of vectors a cell has the number `2 * id + 1`, and the open cell of a space `2 * its id`. */
export const vectorCells = sqliteTable(
  "vector_cells",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    spaceId: integer("space_id").notNull(),
    /** The newest ones take vectors; those of the generation before are emptied. */
    generation: integer("generation").notNull(),
    /** FLOAT8. */
    center: blob("center").notNull(),
  },
  (table) => [index("vector_cells_space").on(table.spaceId, table.generation)],
);
