import { type GrowthCaller, personId } from "./data.ts";
import { commonPair, commonWord, idOf } from "./text.ts";

export interface MeasuredRoute {
  /** Whose: their own share is the same at every size, except where the organization of `lead` or the whole service grows. */
  caller: GrowthCaller | "scim";
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** The answer holds what grows, all of it: its time grows too. */
  isWhole?: true;
}

const part = commonWord.slice(0, 4);
const unspaced = encodeURIComponent(commonPair);
const page = "/api/v1/chats/list?page=1";
const filter = (text: string) => `/api/v1/scim/v2/Users?filter=${encodeURIComponent(text)}`;

const routes: Record<MeasuredRoute["caller"], (string | [path: string, body: unknown])[]> = {
  member: [
    "/ready",
    "/api/v1/auths/",
    "/api/config",
    "/api/models",
    page,
    "/api/v1/chats/pinned",
    "/api/v1/chats/archived",
    "/api/v1/chats/all/tags",
    "/api/v1/chats/shared",
    "/api/v1/chats/recent-prompts",
    `/api/v1/chats/search?text=${commonWord}`,
    `/api/v1/chats/search?text=${part}`,
    `/api/v1/chats/search?text=${unspaced}`,
    `/api/v1/chats/${idOf("chat", 2)}`,
    "/api/v1/folders",
    "/api/v1/folders/shared",
    "/api/v1/files",
    "/api/v1/files/own",
    "/api/v1/files/count",
    "/api/v1/files/search?filename=*a*",
    "/api/v1/storage",
    "/api/v1/knowledge",
    "/api/v1/knowledge/search?query=a",
    "/api/v1/knowledge/search/files?query=a",
    ["/api/v1/retrieval/query/doc", { collection_name: `file-${idOf("file", 2)}`, query: commonWord, k: 5 }],
    ["/api/v1/retrieval/query/collection", { collection_names: [idOf("base", 2)], query: commonWord, k: 5 }],
    "/api/v1/memories",
    ["/api/v1/memories/query", { content: commonWord }],
    "/api/v1/prompts",
    "/api/v1/prompts/list",
    "/api/v1/prompts/tags",
    "/api/v1/channels",
    "/api/v1/channels/browse",
    `/api/v1/channels/${idOf("channel", 0)}/messages`,
    `/api/v1/channels/search?q=${commonWord}`,
    `/api/v1/channels/search?q=${part}`,
    `/api/v1/channels/search?q=${unspaced}`,
    "/api/v1/users/search?query=person2",
    "/api/v1/groups",
    "/api/v1/evaluations/feedbacks/user",
    "/api/v1/auths/api_keys",
    "/api/v1/auths/sessions",
    "/api/v1/auths/sign-ins",
    "/api/v1/retention/own",
    "/api/v1/usage",
    "/api/v1/usage/calls",
    "/api/v1/usage/quotas",
    ["/api/v1/chats/new", { chat: { title: "New", history: { messages: {}, currentId: null } } }],
    [`/api/v1/channels/${idOf("channel", 0)}/messages/post`, { content: "Hello" }],
    ["/api/v1/memories/add", { content: "Hello" }],
  ],
  organizationAdmin: [
    "/api/v1/users",
    "/api/v1/users/search?query=person",
    "/api/v1/groups",
    "/api/v1/storage/admin",
    "/api/v1/audit",
    "/api/v1/audit?target_type=user",
    "/api/v1/usage/admin",
    "/api/v1/usage/admin/calls",
    "/api/v1/auths/admin/api_keys",
    "/api/v1/quotas",
    "/api/v1/invitations",
    `/api/v1/users/${personId("member")}`,
  ],
  lead: [
    "/api/v1/users",
    "/api/v1/users/search?query=person",
    "/api/v1/groups",
    "/api/v1/storage/admin",
    "/api/v1/audit",
    "/api/v1/usage/admin/calls",
    "/api/v1/usage/admin",
    "/api/v1/auths/admin/api_keys",
    "/api/v1/knowledge",
    "/api/v1/prompts/list",
    "/api/v1/channels",
    "/api/v1/channels/browse",
    `/api/v1/channels/search?q=${commonWord}`,
  ],
  root: [
    "/api/v1/users",
    "/api/v1/users?page=3&order_by=name",
    "/api/v1/users?query=person1",
    "/api/v1/users/search?query=person",
    "/api/v1/users/all",
    "/api/v1/groups",
    "/api/v1/storage/admin",
    "/api/v1/audit",
    "/api/v1/audit?action=auth.signed_in",
    "/api/v1/usage/admin/calls",
    "/api/v1/usage/admin",
    "/api/v1/auths/admin/api_keys",
    "/api/v1/evaluations/feedbacks/list",
    "/api/v1/evaluations/feedbacks/models",
    "/api/v1/evaluations/feedbacks/all/ids",
    "/api/v1/evaluations/summary",
    "/api/v1/files",
    "/api/v1/files/count",
    "/api/v1/files/search?filename=*a*",
    "/api/v1/knowledge",
    "/api/v1/knowledge/search/files?query=a",
    "/api/v1/prompts/list",
    "/api/v1/prompts/tags",
    "/api/v1/channels/list",
    "/api/v1/retrieval/status",
    "/api/v1/retention",
    "/api/v1/organizations",
    "/api/v1/admin/history",
    "/api/v1/machine",
    "/api/tasks",
    "/api/usage",
    "/api/v1/imports",
    "/api/v1/erasures",
    "/metrics",
  ],
  scim: [
    filter('userName eq "person7"'),
    filter('externalId eq "external-7"'),
    "/api/v1/scim/v2/Users?count=100",
    "/api/v1/scim/v2/Users?count=100&startIndex=101",
    "/api/v1/scim/v2/Groups?count=100&excludedAttributes=members",
    `/api/v1/scim/v2/Groups?filter=${encodeURIComponent('displayName eq "Group 1"')}`,
    `/api/v1/scim/v2/Groups/${idOf("group", 1)}`,
    `/api/v1/scim/v2/Users/${personId("member")}`,
  ],
  collector: [
    page,
    "/api/v1/chats/list?page=100",
    "/api/v1/chats/pinned",
    "/api/v1/chats/all/tags",
    `/api/v1/chats/search?text=${commonWord}`,
    `/api/v1/chats/search?text=${part}`,
    `/api/v1/chats/search?text=${unspaced}`,
    `/api/v1/chats/search?text=${encodeURIComponent("🚢")}`,
    "/api/v1/chats/search?text=tag:Tag_3",
    `/api/v1/chats/${idOf("collected", 2)}`,
    "/api/v1/folders",
  ],
};

/** These answers list everything, or count it, for somebody who sees all. */
const whole = new Set([
  "root /api/v1/users/all",
  "root /api/v1/evaluations/feedbacks/all/ids",
  "root /api/v1/channels/list",
  "root /api/v1/groups",
  "root /api/v1/knowledge/search/files?query=a",
  "root /api/v1/retrieval/status",
  "root /api/v1/evaluations/summary",
  "root /api/v1/usage/admin",
  "lead /api/v1/usage/admin",
]);

export const measuredRoutes: readonly MeasuredRoute[] = Object.entries(routes).flatMap(([caller, list]) =>
  list.map((each): MeasuredRoute => {
    const [path, body] = typeof each === "string" ? [each] : each;
    return {
      caller: caller as MeasuredRoute["caller"],
      path,
      ...(body === undefined ? {} : { body }),
      ...(whole.has(`${caller} ${path}`) ? { isWhole: true } : {}),
    };
  }),
);
