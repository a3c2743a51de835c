import type { StoredRun, StoredRuns } from "../../src/chat/runs/active-runs.ts";

interface Row extends Record<string, SqlStorageValue> {
  run_id: string;
  user_id: string;
  chat_id: string;
  message_id: string;
}

/** The runs under way, in the object's own storage. */
export class RunTable implements StoredRuns {
  readonly #sql: SqlStorage;

  /** Writes nothing: most objects never run anything, and are woken by the thousand when an organization changes. */
  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  add(entry: StoredRun): void {
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS runs (run_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, chat_id TEXT NOT NULL, message_id TEXT NOT NULL)",
    );
    this.#sql.exec(
      "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)",
      entry.runId,
      entry.userId,
      entry.chatId,
      entry.messageId,
    );
  }

  remove(runId: string): void {
    this.#sql.exec("DELETE FROM runs WHERE run_id = ?", runId);
  }

  list(): StoredRun[] {
    const [table] = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'runs'").toArray();
    if (!table) return [];
    return this.#sql
      .exec<Row>("SELECT * FROM runs")
      .toArray()
      .map((row) => ({ runId: row.run_id, userId: row.user_id, chatId: row.chat_id, messageId: row.message_id }));
  }
}
