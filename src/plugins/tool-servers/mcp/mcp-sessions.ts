import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { knownListing } from "../known-listing.ts";
import type { ToolServer } from "../tool-server.ts";
import type { CallPlace } from "../user-information.ts";
import { connectMcp, type McpConnection } from "./connect-client.ts";

/** The connections to MCP servers that one turn has open: one for each server, opened with the first call. */
export interface McpSessions {
  /** @throws ServerFailure */
  open(server: ToolServer, place: CallPlace): Promise<McpConnection>;
  /** Forgets a connection that is of no use any more: the next call opens another. */
  drop(connection: McpConnection): void;
  /** Gives sessions back, in the background. */
  close(): void;
}

export function createMcpSessions(ctx: Context, user: User): McpSessions {
  const opened = new Map<string, Promise<McpConnection>>();
  const keys = new WeakMap<McpConnection, string>();
  const current = new WeakMap<Promise<McpConnection>, McpConnection>();
  return {
    open(server, place) {
      const key = JSON.stringify([server.id, place.chatId, place.messageId]);
      let connection = opened.get(key);
      if (!connection) {
        connection = connectMcp(ctx, user, server, place, {
          timeoutMs: server.timeout * 1000,
          prior: knownListing(ctx, user, server)?.listing?.prior,
        });
        opened.set(key, connection);
        const own = connection;
        own.then(
          (found) => {
            keys.set(found, key);
            current.set(own, found);
          },
          () => opened.delete(key),
        );
      }
      return connection;
    },
    drop(connection) {
      const key = keys.get(connection) ?? "";
      const kept = opened.get(key);
      // Another call may have begun anew already.
      if (kept && current.get(kept) === connection) opened.delete(key);
      ctx.waitUntil(connection.close());
    },
    close() {
      for (const connection of opened.values())
        ctx.waitUntil(connection.then((found) => found.close()).catch(() => undefined));
      opened.clear();
    },
  };
}
