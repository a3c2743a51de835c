import { integer, text } from "drizzle-orm/sqlite-core";

/** Primary key: a UUIDv7 made by `newId()`. */
export const id = () => text("id").primaryKey();

/** Epoch seconds. */
export const createdAt = () => integer("created_at").notNull();
export const updatedAt = () => integer("updated_at").notNull();

export const flag = (name: string) => integer(name, { mode: "boolean" });

/** A JSON document in a text column. Not for anything that grows: that gets its own rows. */
export const json = <T>(name: string) => text(name, { mode: "json" }).$type<T>();
