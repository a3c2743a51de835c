import { isObject, jsonOf, textOf } from "../read-values.ts";
import type { Reading, Row } from "../row-source.ts";

/** Who may do what, with ids of the source: `grantsField` of src/imports/grants.ts. */
export interface ImportedGrant {
  principal_type: "user" | "group" | "anyone";
  principal_id: string;
  permission: "read" | "write";
}

/**
 * Who may use the things of these rows, in their order: from the table of grants, and in older versions from the column of the row
 * itself. Nobody but the owner where there is neither.
 * @param type as `access_grant.resource_type` has it
 */
export async function grantsOf({ source }: Reading, type: string, rows: readonly Row[]): Promise<ImportedGrant[][]> {
  const hasTable = (await source.columns("access_grant")).size > 0;
  if (!hasTable) return rows.map((row) => fromAccessControl(row));
  const ids = rows.flatMap((row) => textOf(row, "id") ?? []);
  const found = await source.rowsOf("access_grant", "resource_id", ids, "id");
  const byId = Map.groupBy(
    found.filter((row) => row["resource_type"] === type),
    (row) => row["resource_id"],
  );
  return rows.map((row) => distinct((byId.get(row["id"]) ?? []).flatMap((each) => fromRow(each))));
}

function fromRow(row: Row): ImportedGrant[] {
  const { principal_type: type, permission } = row;
  const id = textOf(row, "principal_id");
  if (id === undefined || (permission !== "read" && permission !== "write")) return [];
  if (type !== "user" && type !== "group" && type !== "anyone") return [];
  return [{ principal_type: type, principal_id: id, permission }];
}

/** Older versions: nothing for everyone, `{}` for nobody else, or lists of ids for reading and writing. */
function fromAccessControl(row: Row): ImportedGrant[] {
  if (!("access_control" in row)) return [];
  if (row["access_control"] === null || row["access_control"] === "null")
    return [{ principal_type: "user", principal_id: "*", permission: "read" }];
  const control = jsonOf(row, "access_control");
  if (!isObject(control)) return [];
  return distinct(
    (["read", "write"] as const).flatMap((permission) => {
      const lists = control[permission];
      if (!isObject(lists)) return [];
      return [
        ...idsOf(lists["group_ids"]).map((id) => ({ principal_type: "group" as const, principal_id: id, permission })),
        ...idsOf(lists["user_ids"]).map((id) => ({ principal_type: "user" as const, principal_id: id, permission })),
      ];
    }),
  );
}

function idsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((id): id is string => typeof id === "string" && id !== "") : [];
}

function distinct(grants: readonly ImportedGrant[]): ImportedGrant[] {
  return [...new Map(grants.map((each) => [JSON.stringify(each), each])).values()];
}
