import type { Route } from "./routes.ts";

const connection = () => import("../features/admin/connections/ConnectionPage.svelte");
const model = () => import("../features/admin/models/ModelPage.svelte");
const group = () => import("../features/admin/groups/GroupPage.svelte");
const plugin = {
  function: () => import("../features/admin/plugins/FunctionPage.svelte"),
  tool: () => import("../features/admin/plugins/ToolPage.svelte"),
};
const toolServer = () => import("../features/admin/tool-servers/ToolServerPage.svelte");
const organization = () => import("../features/admin/organizations/OrganizationPage.svelte");

/** The addresses of the administration. */
export const adminRoutes: Route[] = [
  {
    path: "/admin",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/overview/OverviewPage.svelte"),
  },
  {
    path: "/admin/people",
    area: "admin",
    access: "manager",
    load: () => import("../features/admin/people/PeoplePage.svelte"),
  },
  { path: "/admin/mail", area: "admin", access: "admin", load: () => import("../features/admin/mail/MailPage.svelte") },
  {
    path: "/admin/groups",
    area: "admin",
    access: "manager",
    load: () => import("../features/admin/groups/GroupsPage.svelte"),
  },
  {
    path: "/admin/groups/everyone",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/groups/EveryonePage.svelte"),
  },
  { path: "/admin/groups/:id", area: "admin", access: "manager", load: group },
  {
    path: "/admin/organizations",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/organizations/OrganizationsPage.svelte"),
  },
  {
    path: "/admin/organizations/landing",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/organizations/LandingPage.svelte"),
  },
  {
    path: "/admin/people/:id/data",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/data-life/PersonDataPage.svelte"),
  },
  {
    path: "/admin/moving-in",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/moving-in/MovingInPage.svelte"),
  },
  {
    path: "/admin/moving-in/:id",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/moving-in/ImportPage.svelte"),
  },
  {
    path: "/admin/data",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/data-life/DataLifePage.svelte"),
  },
  {
    path: "/admin/erasures/:id",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/data-life/ErasurePage.svelte"),
  },
  { path: "/admin/organizations/:id", area: "admin", access: "admin", load: organization },
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
  {
    path: "/admin/local-models",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/local-models/LocalModelsPage.svelte"),
  },
  { path: "/admin/models/new", area: "admin", access: "admin", load: model },
  { path: "/admin/models/edit", area: "admin", access: "admin", load: model },
  {
    path: "/admin/functions",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/plugins/FunctionsPage.svelte"),
  },
  {
    path: "/admin/functions/import",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/plugins/import/FunctionImportPage.svelte"),
  },
  { path: "/admin/functions/:id", area: "admin", access: "admin", load: plugin.function },
  {
    path: "/admin/tools",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/plugins/ToolsPage.svelte"),
  },
  {
    path: "/admin/tools/import",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/plugins/import/ToolImportPage.svelte"),
  },
  { path: "/admin/tools/:id", area: "admin", access: "admin", load: plugin.tool },
  {
    path: "/admin/packages",
    area: "admin",
    access: "manager",
    load: () => import("../features/admin/plugins/PackagesPage.svelte"),
  },
  {
    path: "/admin/tool-servers",
    area: "admin",
    access: "manager",
    load: () => import("../features/admin/tool-servers/ToolServersPage.svelte"),
  },
  { path: "/admin/tool-servers/:id", area: "admin", access: "manager", load: toolServer },
  {
    path: "/admin/keys",
    area: "admin",
    access: "manager",
    load: () => import("../features/admin/keys/ApiKeysPage.svelte"),
  },
  {
    path: "/admin/sso",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/sso/SsoPage.svelte"),
  },
  {
    path: "/admin/scim",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/scim/ScimPage.svelte"),
  },
  {
    path: "/admin/usage",
    area: "admin",
    access: "manager",
    load: () => import("../features/admin/usage/UsagePage.svelte"),
  },
  {
    path: "/admin/ratings",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/ratings/RatingsPage.svelte"),
  },
  {
    path: "/admin/storage",
    area: "admin",
    access: "manager",
    load: () => import("../features/admin/storage/AdminStoragePage.svelte"),
  },
  {
    path: "/admin/quotas",
    area: "admin",
    access: "manager",
    load: () => import("../features/admin/usage/QuotasPage.svelte"),
  },
  {
    path: "/admin/audit",
    area: "admin",
    access: "manager",
    load: () => import("../features/admin/audit/AuditPage.svelte"),
  },
  {
    path: "/admin/webhooks",
    area: "admin",
    access: "admin",
    load: () => import("../features/webhooks/WebhooksPage.svelte"),
  },
  {
    path: "/admin/documents",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/documents/DocumentsPage.svelte"),
  },
  {
    path: "/admin/web-search",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/web-search/WebSearchPage.svelte"),
  },
  {
    path: "/admin/media",
    area: "admin",
    access: "admin",
    load: () => import("../features/admin/media/MediaPage.svelte"),
  },
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
