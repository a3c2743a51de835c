import type { HelpPage } from "./guide-page.ts";
import { api } from "./pages/api.ts";
import { backup } from "./pages/backup.ts";
import { chats } from "./pages/chats.ts";
import { firstSteps } from "./pages/first-steps.ts";
import { health } from "./pages/health.ts";
import { localRuntimePage } from "./pages/local-runtime.ts";
import { modelsPage } from "./pages/models.ts";
import { people } from "./pages/people.ts";
import { privacy } from "./pages/privacy.ts";
import { providers } from "./pages/providers.ts";
import { sessionsPage } from "./pages/sessions.ts";
import { settingsPage } from "./pages/settings.ts";
import { shortcuts } from "./pages/shortcuts.ts";
import { troubleshooting } from "./pages/troubleshooting.ts";
import { usagePage } from "./pages/usage.ts";

/** All help pages, in the order in which they are listed. */
export const pages: readonly HelpPage[] = [
  firstSteps,
  providers,
  localRuntimePage,
  modelsPage,
  chats,
  api,
  people,
  sessionsPage,
  settingsPage,
  usagePage,
  shortcuts,
  privacy,
  health,
  backup,
  troubleshooting,
];
