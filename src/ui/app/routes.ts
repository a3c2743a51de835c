import type { Component } from "svelte";
import { matchPath } from "../lib/match-path.ts";
import { adminRoutes } from "./admin-routes.ts";

/** Every page is given the parameters of its path, and may leave them. */
export type Page = Component<{ params: Record<string, string> }>;

/** Which rail stands beside the page; `bare` pages have none. */
export type Area = "bare" | "chat" | "settings" | "admin" | "help";

/**
 * Who may see a page. `anyone` pages belong to a link, and show the same to people who are signed in. `setup` is for people who need a second factor first. `stranger` pages send people who are signed in on to the app; `manager` pages are for administrators
 * of the service and for those of an organization, who see there what belongs to it.
 */
export type Access = "anyone" | "stranger" | "pending" | "setup" | "member" | "manager" | "admin";

export interface Route {
  path: string;
  area: Area;
  access: Access;
  /** The type is left open because a page without parameters is a component without props; see `Page`. */
  load: () => Promise<{ default: unknown }>;
}

const chat = () => import("../features/chat/ChatPage.svelte");
const channel = () => import("../features/channels/ChannelPage.svelte");
const folder = () => import("../features/chat/folders/FolderPage.svelte");
const knowledge = () => import("../features/knowledge/KnowledgeBasePage.svelte");
const sharedChat = () => import("../features/chat/sharing/SharedChatPage.svelte");
const prompt = () => import("../features/prompts/PromptPage.svelte");
const signIn = () => import("../features/sign-in/SignInPage.svelte");
const secondFactor = () => import("../features/settings/second-factor/SecondFactorPage.svelte");
const model = () => import("../features/admin/models/ModelPage.svelte");

/**
 * Every address of the app. Two addresses with the same `load` share one living page, so that going from `/` to `/c/:id`
 * after the first message keeps the composer and the stream.
 */
export const routes: Route[] = [
  { path: "/", area: "chat", access: "member", load: chat },
  { path: "/c/:id", area: "chat", access: "member", load: chat },
  { path: "/s/:id", area: "chat", access: "member", load: sharedChat },
  { path: "/temporary", area: "chat", access: "member", load: chat },
  {
    path: "/channels",
    area: "chat",
    access: "member",
    load: () => import("../features/channels/ChannelsPage.svelte"),
  },
  { path: "/folders/:id", area: "chat", access: "member", load: folder },
  { path: "/channels/:id", area: "chat", access: "member", load: channel },
  {
    path: "/knowledge",
    area: "chat",
    access: "member",
    load: () => import("../features/knowledge/KnowledgePage.svelte"),
  },
  { path: "/knowledge/:id", area: "chat", access: "member", load: knowledge },
  { path: "/prompts", area: "chat", access: "member", load: () => import("../features/prompts/PromptsPage.svelte") },
  { path: "/prompts/:id", area: "chat", access: "member", load: prompt },
  { path: "/models", area: "chat", access: "member", load: () => import("../features/models/OwnModelsPage.svelte") },
  { path: "/models/new", area: "chat", access: "member", load: model },
  { path: "/models/edit", area: "chat", access: "member", load: model },
  { path: "/sign-in", area: "bare", access: "stranger", load: signIn },
  // Where people of an Open WebUI have it in their bookmarks.
  { path: "/auth", area: "bare", access: "stranger", load: signIn },
  { path: "/sign-up", area: "bare", access: "stranger", load: signIn },
  {
    path: "/forgotten",
    area: "bare",
    access: "stranger",
    load: () => import("../features/sign-in/ForgottenPage.svelte"),
  },
  { path: "/join", area: "bare", access: "anyone", load: () => import("../features/sign-in/JoinPage.svelte") },
  {
    path: "/new-password",
    area: "bare",
    access: "anyone",
    load: () => import("../features/sign-in/NewPasswordPage.svelte"),
  },
  { path: "/waiting", area: "bare", access: "pending", load: () => import("../features/sign-in/WaitingPage.svelte") },
  {
    path: "/second-factor",
    area: "bare",
    access: "setup",
    load: () => import("../features/sign-in/RequiredFactorPage.svelte"),
  },
  { path: "/settings/second-factor", area: "settings", access: "member", load: secondFactor },
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
    path: "/settings/device",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/device/DevicePage.svelte"),
  },
  {
    path: "/settings/appearance",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/AppearancePage.svelte"),
  },
  {
    path: "/settings/voice",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/voice/VoicePage.svelte"),
  },
  {
    path: "/settings/sessions",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/SessionsPage.svelte"),
  },
  {
    path: "/settings/keys",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/keys/KeysPage.svelte"),
  },
  {
    path: "/settings/usage",
    area: "settings",
    access: "member",
    load: () => import("../features/usage/OwnUsagePage.svelte"),
  },
  {
    path: "/settings/storage",
    area: "settings",
    access: "member",
    load: () => import("../features/storage/StoragePage.svelte"),
  },
  {
    path: "/settings/files",
    area: "settings",
    access: "member",
    load: () => import("../features/storage/FilesPage.svelte"),
  },
  {
    path: "/settings/instructions",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/instructions/InstructionsPage.svelte"),
  },
  {
    path: "/settings/memories",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/memories/MemoriesPage.svelte"),
  },
  {
    path: "/settings/notifications",
    area: "settings",
    access: "member",
    load: () => import("../features/webhooks/NotificationsPage.svelte"),
  },
  {
    path: "/settings/data",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/data/DataPage.svelte"),
  },
  {
    path: "/settings/connections",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/connections/DirectConnectionsPage.svelte"),
  },
  {
    path: "/settings/connections/:id",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/connections/DirectConnectionPage.svelte"),
  },
  {
    // People who may write tools, without the administration around them.
    path: "/settings/tools/own",
    area: "settings",
    access: "member",
    load: () => import("../features/admin/plugins/OwnToolsPage.svelte"),
  },
  {
    path: "/settings/tools/own/import",
    area: "settings",
    access: "member",
    load: () => import("../features/admin/plugins/import/OwnToolImportPage.svelte"),
  },
  {
    path: "/settings/tools/own/:id",
    area: "settings",
    access: "member",
    load: () => import("../features/admin/plugins/OwnToolPage.svelte"),
  },
  {
    path: "/settings/tools",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/tools/ToolsPage.svelte"),
  },
  {
    path: "/settings/tool-servers/:id",
    area: "settings",
    access: "member",
    load: () => import("../features/settings/tools/OwnServerPage.svelte"),
  },
  { path: "/help", area: "help", access: "member", load: () => import("../features/help/HelpIndexPage.svelte") },
  { path: "/help/:page", area: "help", access: "member", load: () => import("../features/help/HelpPage.svelte") },
  ...adminRoutes,
];

/** The rail of each area that has one: what stands between the brand and the person's own menu. */
export const rails: Record<Exclude<Area, "bare">, () => Promise<{ default: unknown }>> = {
  chat: () => import("../features/chat/ChatRail.svelte"),
  settings: () => import("../features/settings/SettingsRail.svelte"),
  admin: () => import("../features/admin/AdminRail.svelte"),
  help: () => import("../features/help/HelpRail.svelte"),
};

/** Finds the page of a path, or undefined when there is none. */
export function findRoute(path: string): { route: Route; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (params) return { route, params };
  }
  return undefined;
}
