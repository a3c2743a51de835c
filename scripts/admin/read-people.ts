import { parseCsvObjects } from "hucre/csv";
import { StartError } from "../launch/start-error.ts";

/** A row of the file, as the service takes it. */
export interface PersonRow {
  /** Number of the row in the file; the head is 1. */
  row: number;
  person: {
    email: string;
    name: string;
    role?: string;
    organization?: string;
    groups?: string[];
    password?: string;
    without_password?: boolean;
  };
}

const columns = ["email", "name", "role", "organization", "groups", "password", "sign_in"] as const;

/**
 * Reads people from CSV (RFC 4180; with commas, semicolons or tabs).
 * @throws StartError with the first row that is wrong
 */
export function readPeople(text: string): PersonRow[] {
  const { data, headers } = parseCsvObjects(text, {
    header: true,
    transformHeader: (name) => name.trim().toLowerCase(),
  });
  const unknown = headers.find((name) => !(columns as readonly string[]).includes(name));
  if (unknown !== undefined) throw wrong(1, `there is no column "${unknown}". Columns are ${columns.join(", ")}`);
  if (!headers.includes("email")) throw wrong(1, "the column email is missing");
  return data
    .map((row, index) => ({ row: index + 2, values: trimmed(row) }))
    .filter(({ values }) => Object.values(values).some((value) => value !== ""))
    .map(({ row, values }) => ({ row, person: toPerson(row, values) }));
}

function toPerson(row: number, values: Record<string, string>): PersonRow["person"] {
  const {
    email = "",
    name = "",
    role = "",
    organization = "",
    groups = "",
    password = "",
    sign_in: signIn = "",
  } = values;
  if (email === "") throw wrong(row, "the address is missing");
  if (!["", "admin", "user", "pending"].includes(role))
    throw wrong(row, `the role is "${role}", expected admin, user or pending`);
  if (!["", "password", "sso"].includes(signIn)) throw wrong(row, `sign_in is "${signIn}", expected password or sso`);
  return {
    email,
    name: name === "" ? email.split("@", 1)[0]! : name,
    ...(role === "" ? {} : { role }),
    ...(organization === "" ? {} : { organization }),
    ...(groups === ""
      ? {}
      : {
          groups: groups
            .split("|")
            .map((group) => group.trim())
            .filter((group) => group !== ""),
        }),
    ...(password === "" ? {} : { password }),
    ...(signIn === "sso" ? { without_password: true } : {}),
  };
}

function trimmed(row: Record<string, unknown>): Record<string, string> {
  // A password may begin or end with a space.
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name === "password" ? String(value ?? "") : String(value ?? "").trim(),
    ]),
  );
}

function wrong(row: number, reason: string): StartError {
  return new StartError(`Row ${row}: ${reason}. Nothing was imported.`, "data");
}
