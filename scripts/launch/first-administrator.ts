import { readFileSync } from "node:fs";
import { normalizeEmail } from "../../src/people/email.ts";
import { StartError } from "./start-error.ts";

/** The administrator of a new service, from the environment. */
export interface FirstAdministrator {
  email: string;
  name: string;
  password: string;
}

/**
 * `WEBUI_ADMIN_EMAIL`, `WEBUI_ADMIN_NAME` and `WEBUI_ADMIN_PASSWORD`, as Open WebUI has them. The password may be in a file
 * instead, whose name is in `WEBUI_ADMIN_PASSWORD_FILE`.
 * @throws StartError when only a part is given, or the address is none
 */
export function readFirstAdministrator(env: NodeJS.ProcessEnv): FirstAdministrator | undefined {
  const email = env["WEBUI_ADMIN_EMAIL"]?.trim() ?? "";
  const file = env["WEBUI_ADMIN_PASSWORD_FILE"]?.trim() ?? "";
  const given = env["WEBUI_ADMIN_PASSWORD"] ?? "";
  if (email === "" && file === "" && given === "") return undefined;
  const wrong = (name: string, value: string, expected: string) =>
    new StartError(`${name} is "${value}", expected ${expected}.`, "configuration");
  if (normalizeEmail(email) === undefined) throw wrong("WEBUI_ADMIN_EMAIL", email, "an e-mail address");
  if (file !== "" && given !== "")
    throw wrong("WEBUI_ADMIN_PASSWORD_FILE", file, "nothing, because WEBUI_ADMIN_PASSWORD is set too");
  const password = file === "" ? given : readPassword(file);
  if (password === "") throw wrong("WEBUI_ADMIN_PASSWORD", "", `the password of ${email}`);
  return { email, password, name: env["WEBUI_ADMIN_NAME"]?.trim() || "Admin" };
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new StartError(
      `WEBUI_ADMIN_PASSWORD_FILE is "${file}", expected a file with a password (${(error as Error).message}).`,
      "configuration",
    );
  }
}

/**
 * Creates the account if the service has no administrator yet. Loaded only where there is something to create: signing takes
 * memory that the launcher would keep.
 * @throws StartError with what the service says against it
 */
export async function createFirstAdministrator(
  address: string,
  ring: string,
  administrator: FirstAdministrator,
): Promise<{ created: boolean }> {
  const { connectService } = await import("../admin/running-service.ts");
  return connectService(address, ring).post("first-administrator", administrator);
}
