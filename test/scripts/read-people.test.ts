import { describe, expect, test } from "vitest";
import { readPeople } from "../../scripts/admin/read-people.ts";

describe("people from CSV", () => {
  test("with all columns, in any order", () => {
    const text =
      'Name,email,groups,role,organization,sign_in,password\r\n"Hopper, Grace",grace@harbour.example,Pilots | Divers,admin,Pier,password," ends with a space "\r\n';
    expect(readPeople(text)).toEqual([
      {
        row: 2,
        person: {
          email: "grace@harbour.example",
          name: "Hopper, Grace",
          groups: ["Pilots", "Divers"],
          role: "admin",
          organization: "Pier",
          password: " ends with a space ",
        },
      },
    ]);
  });

  test.each([",", ";", "\t"])("separated by %j", (delimiter) => {
    const text = [
      ["email", "name"],
      ["ada@harbour.example", "Ada"],
    ];
    expect(readPeople(text.map((row) => row.join(delimiter)).join("\n"))).toMatchObject([{ person: { name: "Ada" } }]);
  });

  test("as spreadsheets save them: with a byte order mark and empty rows", () => {
    const people = readPeople("\uFEFFemail,name\nada@harbour.example,\n,\n\ncleo@harbour.example,Cleo\n");
    expect(people.map(({ row, person }) => [row, person.email, person.name])).toEqual([
      [2, "ada@harbour.example", "ada"],
      [5, "cleo@harbour.example", "Cleo"],
    ]);
  });

  test("who sign in elsewhere get no password", () => {
    expect(readPeople("email,sign_in\nada@harbour.example,sso\n")).toMatchObject([
      { person: { without_password: true } },
    ]);
  });

  test.each([
    ["name\nAda\n", "Row 1: the column email is missing"],
    ["email,phone\na@b.example,1\n", 'Row 1: there is no column "phone"'],
    ["email,name\n,Ada\n", "Row 2: the address is missing"],
    ["email,role\na@b.example,user\nc@d.example,owner\n", 'Row 3: the role is "owner"'],
    ["email,sign_in\na@b.example,maybe\n", 'Row 2: sign_in is "maybe"'],
  ])("%j is refused with the row", (text, message) => {
    expect(() => readPeople(text)).toThrow(message);
  });
});
