import { factoryPermissions } from "../../src/people/permissions.ts";
import { plain, table } from "./table.ts";

/** Texts of the web page; its types are those of a browser, so they are not read here. */
interface PageTexts {
  texts: { permissions: { leaves: Readonly<Record<string, { name: string; hint: string }>> } };
}
const pageTexts: string = "../../src/ui/features/admin/groups/texts.ts";
const { texts } = (await import(pageTexts)) as PageTexts;

/** Every permission, in the words of the admin pages. */
export function permissionTable(): string {
  const { leaves } = texts.permissions;
  const rows = Object.entries(factoryPermissions).flatMap(([branch, values]) =>
    Object.entries(values).map(([leaf, isDefault]) => {
      const name = `${branch}.${leaf}`;
      const words = leaves[name];
      if (!words) throw new Error(`The admin pages have no words for the permission ${name}`);
      return [`\`${name}\``, isDefault ? "yes" : "no", plain(`${words.name}. ${words.hint}`)];
    }),
  );
  return table(["permission", "by default", "meaning"], rows);
}
