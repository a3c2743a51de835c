import { factoryPermissions } from "../../src/people/permissions.ts";
import { texts } from "../../src/ui/features/admin/groups/texts.ts";
import { plain, table } from "./table.ts";

/** Every permission, in the words of the admin pages. */
export function permissionTable(): string {
  const leaves: Readonly<Record<string, { name: string; hint: string }>> = texts.permissions.leaves;
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
