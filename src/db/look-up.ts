import type { Client } from "@libsql/client";
import type { Lookup } from "../ports.ts";

/**
 * The argument of one who asks, in a look-up's statement. The database prepares a statement each time it runs it, which costs ten
 * times as much as running it. So one statement answers all who ask at once. It begins `FROM json_each(?1) asked CROSS JOIN`, with a row for
 * each of them, and its first column is `asked.key`.
 */
export function argument(at: number): string {
  return `asked.value ->> ${at}`;
}

/** A look-up by a statement of its own. */
export async function lookUpAlone(client: Pick<Client, "execute">, { sql, args }: Parameters<Lookup>[0]) {
  const { rows } = await client.execute({ sql, args: [JSON.stringify([args])] });
  return rows[0]?.[1] as string | undefined;
}
