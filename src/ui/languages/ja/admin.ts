import type { AdminTexts } from "../admin-texts.ts";
import adminAudit from "./admin/audit.ts";
import adminBanners from "./admin/banners.ts";
import adminConnections from "./admin/connections.ts";
import adminDataLife from "./admin/data-life.ts";
import adminDocuments from "./admin/documents.ts";
import adminGroups from "./admin/groups.ts";
import adminHealth from "./admin/health.ts";
import adminKeys from "./admin/keys.ts";
import adminLocalModels from "./admin/local-models.ts";
import adminMail from "./admin/mail.ts";
import adminMedia from "./admin/media.ts";
import adminModels from "./admin/models.ts";
import adminMovingIn from "./admin/moving-in.ts";
import adminOrganizations from "./admin/organizations.ts";
import adminOverview from "./admin/overview.ts";
import adminPeopleInvitations from "./admin/people-invitations.ts";
import adminPeople from "./admin/people.ts";
import adminPluginPackages from "./admin/plugin-packages.ts";
import adminPluginUse from "./admin/plugin-use.ts";
import adminPlugins from "./admin/plugins.ts";
import adminRatings from "./admin/ratings.ts";
import adminRetention from "./admin/retention.ts";
import adminScim from "./admin/scim.ts";
import adminServiceAccounts from "./admin/service-accounts.ts";
import adminSettings from "./admin/settings.ts";
import adminSso from "./admin/sso.ts";
import adminStorage from "./admin/storage.ts";
import adminToolServers from "./admin/tool-servers.ts";
import adminUsage from "./admin/usage.ts";
import adminWebSearch from "./admin/web-search.ts";

export default {
  "admin/audit": adminAudit,
  "admin/banners": adminBanners,
  "admin/connections": adminConnections,
  "admin/data-life": adminDataLife,
  "admin/documents": adminDocuments,
  "admin/groups": adminGroups,
  "admin/health": adminHealth,
  "admin/keys": adminKeys,
  "admin/local-models": adminLocalModels,
  "admin/mail": adminMail,
  "admin/media": adminMedia,
  "admin/models": adminModels,
  "admin/moving-in": adminMovingIn,
  "admin/organizations": adminOrganizations,
  "admin/overview": adminOverview,
  "admin/people/invitations": adminPeopleInvitations,
  "admin/people": adminPeople,
  "admin/plugin-packages": adminPluginPackages,
  "admin/plugin-use": adminPluginUse,
  "admin/plugins": adminPlugins,
  "admin/ratings": adminRatings,
  "admin/retention": adminRetention,
  "admin/scim": adminScim,
  "admin/service-accounts": adminServiceAccounts,
  "admin/settings": adminSettings,
  "admin/sso": adminSso,
  "admin/storage": adminStorage,
  "admin/tool-servers": adminToolServers,
  "admin/usage": adminUsage,
  "admin/web-search": adminWebSearch,
} satisfies AdminTexts;
