import type { FeedbackPage, FeedbackSummary, FeedbackView, ListedFeedback } from "../../../../feedback/schema.ts";
import { api } from "../../../lib/api.ts";
import { at } from "../../../lib/base-path.ts";

export type { FeedbackSummary, FeedbackView, ListedFeedback };

const base = "/api/v1/evaluations";

/** What the page shows; empty for everything. */
export interface RatingView {
  model: string;
  organization: string;
  rating: string;
  days: string;
  page: number;
}

const periods: ReadonlySet<string> = new Set(["7", "30", "90", "365"]);

export function readRatingView(search: URLSearchParams): RatingView {
  const days = search.get("days") ?? "";
  return {
    model: search.get("model") ?? "",
    organization: search.get("organization") ?? "",
    rating: ["1", "-1"].find((each) => each === search.get("rating")) ?? "",
    days: periods.has(days) ? days : "30",
    page: Math.max(1, Math.trunc(Number(search.get("page"))) || 1),
  };
}

export function ratingAddress(view: RatingView): string {
  const said = Object.entries({
    ...view,
    days: view.days === "30" ? "" : view.days,
    page: view.page > 1 ? view.page : "",
  })
    .filter(([, value]) => value !== "")
    .map(([name, value]) => [name, String(value)]);
  return said.length === 0 ? "/admin/ratings" : `/admin/ratings?${new URLSearchParams(said)}`;
}

const filterOf = ({ model, organization, rating }: RatingView): Record<string, string | undefined> => ({
  model_id: model || undefined,
  organization_id: organization || undefined,
  rating: rating || undefined,
});

export function loadSummary(view: RatingView, signal: AbortSignal): Promise<FeedbackSummary> {
  const { rating: _, ...filter } = filterOf(view);
  return api("GET", `${base}/summary`, { query: { ...filter, days: view.days }, signal });
}

export const loadRatings = (view: RatingView, signal: AbortSignal): Promise<FeedbackPage> =>
  api("GET", `${base}/feedbacks/list`, { query: { ...filterOf(view), page: view.page }, signal });

export const loadRating = (id: string, signal?: AbortSignal): Promise<FeedbackView> =>
  api("GET", `${base}/feedback/${id}`, { signal });

export const deleteRating = (id: string): Promise<unknown> => api("DELETE", `${base}/feedback/${id}`);

export const loadRatedModels = (signal: AbortSignal): Promise<string[]> =>
  api("GET", `${base}/feedbacks/models`, { signal });

/** The address of what the page shows as a file. */
export function exportAddress(view: RatingView, format: "csv" | "json"): string {
  const said = Object.entries(filterOf(view)).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const query = said.length === 0 ? "" : `?${new URLSearchParams(said)}`;
  return at(`${base}/feedbacks/all/export${format === "csv" ? "/csv" : ""}${query}`);
}

/** A message of a conversation that its owner shares. */
export interface SharedMessage {
  id: string;
  role: string;
  model: string;
  content: string;
}

/** The conversation in a rating, from its first message on. Clients may store anything: what cannot be read is left out. */
export function conversationIn({ snapshot }: FeedbackView): SharedMessage[] {
  const history = (snapshot?.["chat"] as { history?: { currentId?: unknown; messages?: unknown } } | undefined)
    ?.history;
  const messages = (history?.messages ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const found: SharedMessage[] = [];
  const seen = new Set<string>();
  let id = history?.currentId;
  while (typeof id === "string" && !seen.has(id)) {
    seen.add(id);
    const message = messages[id];
    if (typeof message !== "object" || message === null) break;
    const { role, content, model, parentId } = message;
    found.push({
      id,
      role: String(role),
      model: typeof model === "string" ? model : "",
      content: typeof content === "string" ? content : "",
    });
    id = parentId;
  }
  return found.reverse();
}
