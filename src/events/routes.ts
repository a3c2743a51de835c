import { heldCredential, requireSession } from "../access.ts";
import { heardOrganization } from "../channels/heard-organization.ts";
import { AppError } from "../errors.ts";
import { renderProblem } from "../http/render-problem.ts";
import { contextOf, createRouter } from "../http/routes.ts";

/** The live socket. Frames are in protocol.ts; OpenAPI has no words for them. */
export function eventRoutes() {
  const router = createRouter();
  router.openAPIRegistry.registerPath({
    method: "get",
    path: "/api/v1/events",
    summary: "The live socket: a WebSocket with the events of the caller's chats",
    responses: { 101: { description: "The socket is open" }, 426: { description: "Not an upgrade request" } },
  });
  router.get("/api/v1/events", async (c) => {
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
    return ctx.live.connect(heldCredential(user), c.req.raw, heardOrganization(ctx));
  });
  return router;
}
