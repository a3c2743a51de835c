import { heldCredential, requireSession } from "../access.ts";
import { AppError } from "../errors.ts";
import { renderProblem } from "../http/render-problem.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { socketRights } from "./socket-rights.ts";

/** The live socket. Frames are in src/shared/live-protocol.ts, because OpenAPI cannot describe them. */
export function eventRoutes() {
  const router = createRouter();
  const socket = defineRoute({
    method: "get",
    path: "/api/v1/events",
    access: "session",
    summary: "The live socket: a WebSocket with the events of the caller's chats",
    responses: { 101: { description: "The socket is open" }, 426: { description: "Not an upgrade request" } },
  });
  router.raw(socket, async (c) => {
    const ctx = contextOf(c);
    const user = requireSession(ctx);
    if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
      const refusal = new AppError("upgrade_required", "This is a WebSocket endpoint: send an upgrade request");
      const { body, contentType } = renderProblem(refusal, c.get("requestId"));
      // A 426 names the protocol it asks for (RFC 9110, section 15.5.22).
      return new Response(JSON.stringify(body), {
        status: refusal.status,
        headers: { "content-type": contentType, upgrade: "websocket", connection: "upgrade" },
      });
    }
    return ctx.live.connect(heldCredential(user), c.req.raw, socketRights(ctx));
  });
  return router;
}
