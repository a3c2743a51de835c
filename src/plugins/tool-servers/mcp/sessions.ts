import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { knownListing } from "../known-listing.ts";
import type { ToolServer } from "../tool-server.ts";
import type { CallPlace } from "../user-information.ts";
import { connectMcp, type McpConnection } from "./connect.ts";

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
        connection.catch(() => opened.delete(key));
      }
      return connection;
    },
    drop(connection) {
      for (const [key, candidate] of opened)
        void candidate.then(
          (found) => {
            if (found === connection && opened.get(key) === candidate) opened.delete(key);
          },
          () => undefined,
        );
      ctx.waitUntil(connection.close());
    },
    close() {
      for (const connection of opened.values())
        ctx.waitUntil(connection.then((found) => found.close()).catch(() => undefined));
      opened.clear();
    },
  };
}
