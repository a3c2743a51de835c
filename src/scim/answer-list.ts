import type { Context } from "../context.ts";
import type { ListQuery } from "./list-query.ts";
import { noteRequest } from "./note-request.ts";
import { project } from "./projection.ts";
import { listOf, type ScimList } from "./schema.ts";

/**
 * Records that a page of resources was read, and returns it in the requested form.
 * @param total the number of all matches
 */
export function answerList(
  ctx: Context,
  query: ListQuery,
  targetType: "user" | "group",
  resources: Parameters<typeof project>[0][],
  total: number,
): ScimList {
  noteRequest(ctx, {
    action: `scim.${targetType}s.read`,
    targetType,
    targetId: "",
    detail: {
      operation: "GET",
      ...(query.filter !== undefined && { filter: query.filter.slice(0, 1000) }),
      total,
      returned: resources.length,
    },
  });
  return listOf(
    resources.map((resource) => project(resource, query.projection)),
    total,
    query.startIndex,
  );
}
