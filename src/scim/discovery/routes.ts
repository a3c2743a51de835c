import { AppError } from "../../errors.ts";
import { contextOf, createRouter } from "../../http/routes.ts";
import { noteRequest } from "../note-request.ts";
import { scimBase } from "../paths.ts";
import { listOf } from "../schema.ts";
import { answer, anything, idOf, idParams, say, scimRoute, type ScimRequest } from "../scim-route.ts";
import { resourceTypes, serviceProviderConfig } from "./configuration.ts";
import { schemas } from "./schemas.ts";

const found = { 200: answer("The requested resources", anything) };

export function discoveryRoutes() {
  const router = createRouter();
  router.raw(scimRoute("get", "/ServiceProviderConfig", "The SCIM features of this service", undefined, found), (c) => {
    refuseFilter(c);
    return sayNoted(c, serviceProviderConfig(contextOf(c)));
  });
  for (const [path, list] of [
    ["/ResourceTypes", resourceTypes],
    ["/Schemas", schemas],
  ] as const) {
    router.raw(scimRoute("get", path, "All of them", undefined, found), (c) => {
      refuseFilter(c);
      const entries = list(contextOf(c));
      return sayNoted(c, listOf(entries, entries.length, 1));
    });
    router.raw(scimRoute("get", `${path}/{id}`, "One of them", { params: idParams }, found), (c) => {
      const entry = list(contextOf(c)).find(({ id }) => id === idOf(c));
      if (!entry) throw new AppError("not_found", "No such resource");
      return sayNoted(c, entry);
    });
  }
  return router;
}

/** @throws AppError `forbidden`: nobody shall believe that it was applied (RFC 7644, section 4). */
function refuseFilter(c: ScimRequest): void {
  if (c.req.query("filter") !== undefined)
    throw new AppError("forbidden", "Filters are not supported here (RFC 7644, section 4)");
}

function sayNoted(c: ScimRequest, resource: object): Response {
  noteRequest(contextOf(c), {
    action: "scim.discovery.read",
    targetType: "scim",
    targetId: "",
    detail: { operation: "GET", path: c.req.path.slice(scimBase.length) },
  });
  return say(200, resource);
}
