import type { Component } from "svelte";
import { matchPath } from "../lib/match-path.ts";

/** Every page is given the parameters of its path, and may leave them. */
export type Page = Component<{ params: Record<string, string> }>;

/** Which rail stands beside the page; `bare` pages have none. */
export type Area = "bare" | "chat" | "settings" | "admin";

/** Who may see a page. `stranger` pages send people who are signed in on to the app. */
export type Access = "stranger" | "pending" | "member" | "admin";

export interface Route {
  path: string;
  area: Area;
  access: Access;
  /** The type is left open because a page without parameters is a component without props; see `Page`. */
  load: () => Promise<{ default: unknown }>;
}

const chat = () => import("../features/chat/ChatPage.svelte");
const signIn = () => import("../features/sign-in/SignInPage.svelte");
const connection = () => import("../features/admin/connections/ConnectionPage.svelte");
const model = () => import("../features/admin/models/ModelPage.svelte");

/**
 * Every address of the app. Two addresses with the same `load` share one living page, so that going from `/` to `/c/:id`
 * after the first message keeps the composer and the stream.
 */
export const routes: Route[] = [
  { path: "/", area: "chat", access: "member", load: chat },
  { path: "/c/:id", area: "chat", access: "member", load: chat },
  { path: "/sign-in", area: "bare", access: "stranger", load: signIn },
  { path: "/sign-up", area: "bare", access: "stranger", load: signIn },
  { path: "/waiting", area: "bare", access: "pending", load: () => import("../features/sign-in/WaitingPage.svelte") },
  {
    path: "/settings",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/ProfilePage.svelte"),
  },
  {
    path: "/settings/password",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/PasswordPage.svelte"),
  },
  {
    path: "/settings/appearance",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/AppearancePage.svelte"),
  },
  {
    path: "/settings/sessions",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/SessionsPage.svelte"),
  },
  {
    path: "/admin",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/overview/OverviewPage.svelte"),
  },
  {
    path: "/admin/people",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/people/PeoplePage.svelte"),
  },
  {
    path: "/admin/connections",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/connections/ConnectionsPage.svelte"),
  },
  { path: "/admin/connections/:id", area: "admin", access: "admin", load: connection },
  {
    path: "/admin/models",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/models/ModelsPage.svelte"),
  },
  { path: "/admin/models/new", area: "admin", access: "admin", load: model },
  { path: "/admin/models/edit", area: "admin", access: "admin", load: model },
  {
    path: "/admin/settings",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/settings/SettingsPage.svelte"),
  },
  {
    path: "/admin/health",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/health/HealthPage.svelte"),
  },
];

/** The rail of each area that has one: what stands between the brand and the person's own menu. */
export const rails: Record<Exclude<Area, "bare">, () => Promise<{ default: unknown }>> = {
  chat: () => import("../features/chat/ChatRail.svelte"),
  settings: () => import("../features/settings/SettingsRail.svelte"),
  admin: () => import("../features/admin/AdminRail.svelte"),
};

/** Finds the page of a path, or undefined when there is none. */
export function findRoute(path: string): { route: Route; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (params) return { route, params };
  }
  return undefined;
}
