import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyUserPatch, type ScimUserDocument } from "../../../src/scim/patch/apply-user-patch.ts";
import type { MemberStep } from "../../../src/scim/patch/member-steps.ts";
import { parsePatch } from "../../../src/scim/patch/parse-patch.ts";
import { planGroupPatch } from "../../../src/scim/patch/plan-group-patch.ts";
import { unlessRefused } from "../unless-refused.ts";

/** What is meant, and one of the ways to say it: the model does the one, the engine reads the other. */
interface Said<T> {
  mean(model: T): void;
  operation: Record<string, unknown>;
}

const core = "urn:ietf:params:scim:schemas:core:2.0:User";
const cased = (text: string) =>
  fc.mixedCase(fc.constant(text), {
    toggleCase: (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()),
  });
const set = fc.constantFrom("add", "replace").chain(cased);
const clear = cased("remove");
const word = fc.constantFrom("Ada", "Émilie", "x y", "\u{1f600}", '"', "O'Hara");

/** A value at a path, or in an object without one: dotted, nested, with a URN before it. */
function written(op: fc.Arbitrary<string>, path: string, value: unknown): fc.Arbitrary<Record<string, unknown>> {
  const name = cased(path).chain((text) => fc.constantFrom(text, `${core}:${text}`));
  const [parent, sub] = path.split(".") as [string, string | undefined];
  const nested = sub === undefined ? { [parent]: value } : { [parent]: { [sub]: value } };
  return fc.oneof(
    fc.tuple(op, name).map(([op, path]) => ({ op, path, value })),
    fc.tuple(op, name).map(([op, name]) => ({ op, value: { id: "read-only", [name]: value } })),
    op.map((op) => ({ op, value: nested })),
    op.map((op) => ({ op, path: core, value: nested })),
    op.map((op) => ({ op, value: { [core]: nested } })),
  );
}

interface Email {
  value: string;
  type: string;
  primary: boolean;
}

/** A person as a plain reading of the rules has them: flat texts, and e-mails of which each has all three parts. */
interface Person {
  texts: Map<string, string>;
  active: boolean;
  emails: Email[];
}

const texts = ["displayName", "externalId", "name.givenName", "name.familyName", "name.formatted"] as const;
const types = ["work", "home", "other"] as const;
const address = fc.constantFrom("a@x.example", "b@x.example", "c@x.example");
const email: fc.Arbitrary<Email> = fc.record({
  value: address,
  type: fc.constantFrom(...types),
  primary: fc.boolean(),
});

const said = <T>(operations: fc.Arbitrary<Record<string, unknown>>, mean: (model: T) => void): fc.Arbitrary<Said<T>> =>
  operations.map((operation) => ({ operation, mean }));

function makeOnly(person: Person, primary: Email): void {
  for (const other of person.emails) other.primary = other === primary;
}

/** In a list of the model, no type and address come twice, and one at most is primary. */
const emailList = fc
  .uniqueArray(email, { maxLength: 3, selector: ({ value, type }) => `${value} ${type}` })
  .map((list) =>
    list.map((one, index) => ({
      ...one,
      primary: one.primary && !list.slice(0, index).some((other) => other.primary),
    })),
  );
const sentBoolean = (value: boolean) => fc.constantFrom<unknown>(value, String(value), value ? "True" : "False");

const userChange: fc.Arbitrary<Said<Person>> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...texts), word)
    .chain(([path, value]) => said<Person>(written(set, path, value), ({ texts }) => texts.set(path, value))),
  fc.constantFrom(...texts).chain((path) =>
    said<Person>(
      fc.oneof(
        fc.tuple(clear, cased(path)).map(([op, path]) => ({ op, path })),
        written(set, path, null),
      ),
      ({ texts }) => texts.delete(path),
    ),
  ),
  fc.tuple(word, word).chain(([givenName, familyName]) =>
    said<Person>(written(set, "name", { givenName, FAMILYNAME: familyName, nick: 5 }), ({ texts }) => {
      texts.set("name.givenName", givenName).set("name.familyName", familyName);
    }),
  ),
  said<Person>(
    clear.map((op) => ({ op, path: "name" })),
    ({ texts: map }) => texts.forEach((path) => path.startsWith("name.") && map.delete(path)),
  ),
  fc
    .constantFrom("Grace@x.example", "ada@y.example")
    .chain((value) => said<Person>(written(set, "userName", value), ({ texts }) => texts.set("userName", value))),
  fc.boolean().chain((active) =>
    said<Person>(
      sentBoolean(active).chain((value) => written(set, "active", value)),
      (person) => (person.active = active),
    ),
  ),
  emailList.chain((list) =>
    said<Person>(written(cased("replace"), "emails", list), (person) => {
      person.emails = list.map((one) => ({ ...one }));
    }),
  ),
  email.chain((one) =>
    said<Person>(
      fc
        .constantFrom<unknown>([one], one, [{ ...one, primary: String(one.primary) }])
        .chain((value) => written(cased("add"), "emails", value)),
      (person) => {
        let target = person.emails.find(({ value, type }) => value === one.value && type === one.type);
        if (target) target.primary = one.primary;
        else person.emails.push((target = { ...one }));
        if (one.primary) makeOnly(person, target);
      },
    ),
  ),
  fc.tuple(fc.constantFrom(...types), address).chain(([type, value]) =>
    said<Person>(
      fc.oneof(
        fc.tuple(set, cased("emails")).map(([op, name]) => ({ op, path: `${name}[type eq "${type}"].value`, value })),
        fc
          .tuple(set, cased("type"))
          .map(([op, name]) => ({ op, value: { [`emails[${name} eq "${type}"].value`]: value } })),
      ),
      (person) => {
        const matching = person.emails.filter((one) => one.type === type);
        for (const one of matching) one.value = value;
        // All of this type are one and the same now.
        const [first] = matching;
        if (first) {
          first.primary = matching.some((one) => one.primary);
          person.emails = person.emails.filter((one) => one === first || one.type !== type);
        } else person.emails.push({ value, type, primary: false });
      },
    ),
  ),
  address.chain((value) =>
    said<Person>(
      fc
        .tuple(clear, fc.constantFrom("a", "b"))
        .map(([op, dialect]) =>
          dialect === "a"
            ? { op, path: `emails[value eq "${value.toUpperCase()}"]` }
            : { op, path: "emails", value: [{ value, $ref: null }] },
        ),
      (person) => (person.emails = person.emails.filter((one) => one.value !== value)),
    ),
  ),
  fc.constantFrom(...types).chain((type) =>
    said<Person>(
      fc
        .constantFrom("", ".value")
        .chain((sub) => clear.map((op) => ({ op, path: `emails[type eq "${type}"]${sub}` }))),
      (person) => (person.emails = person.emails.filter((one) => one.type !== type)),
    ),
  ),
  said<Person>(
    fc.oneof(
      clear.map((op) => ({ op, path: "emails" })),
      written(cased("replace"), "emails", null),
      written(cased("replace"), "emails", []),
    ),
    (person) => (person.emails = []),
  ),
  said<Person>(
    fc.constantFrom(
      { op: "Add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", value: "x" },
      { op: "Replace", path: 'phoneNumbers[type eq "mobile"].value', value: "5" },
      { op: "replace", value: { id: "x", groups: [], meta: null } },
    ),
    () => undefined,
  ),
);

function asDocument({ texts, active, emails }: Person): ScimUserDocument {
  const name = Object.fromEntries(
    [...texts].filter(([path]) => path.startsWith("name.")).map(([path, value]) => [path.slice(5), value]),
  );
  const simple = Object.fromEntries([...texts].filter(([path]) => !path.includes(".")));
  return {
    userName: "",
    ...simple,
    active,
    ...(Object.keys(name).length > 0 && { name }),
    ...(emails.length > 0 && { emails: emails.map((one) => ({ ...one })) }),
  };
}

/** Not primary is what nothing was said of. */
function spelledOut({ emails, ...user }: ScimUserDocument): ScimUserDocument {
  return { ...user, ...(emails && { emails: emails.map((one) => ({ ...one, primary: one.primary ?? false })) }) };
}

describe("a patch of a user", () => {
  it("says what is meant, in whichever dialect", () => {
    fc.assert(
      fc.property(emailList, fc.array(userChange, { minLength: 1, maxLength: 12 }), (emails, changes) => {
        const model: Person = {
          texts: new Map([["userName", "ada@x.example"]]),
          active: true,
          emails: emails.map((one) => ({ ...one })),
        };
        const before = asDocument(model);
        const untouched = structuredClone(before);
        const Operations = changes.map(({ operation }) => operation);
        const after = applyUserPatch(before, parsePatch(JSON.parse(JSON.stringify({ Operations }))));
        for (const { mean } of changes) mean(model);
        expect(spelledOut(after)).toEqual(asDocument(model));
        expect(before).toEqual(untouched);
        // One patch with all, or each in a patch of its own: the same.
        const oneByOne = Operations.reduce(
          (user, one) => applyUserPatch(user, parsePatch({ Operations: [one] })),
          before,
        );
        expect(oneByOne).toEqual(after);
      }),
      { numRuns: 1_000 },
    );
  }, 60_000);

  it("never fails but as a SCIM error, never leaves a document that is none", () => {
    const path = fc.constantFrom(
      "active",
      "userName",
      "name",
      "name.givenName",
      "emails",
      "emails.value",
      "emails.primary",
      'emails[type eq "work"]',
      'emails[type ne "x"].value',
      "emails[primary pr].type",
      "emails[not (value pr)].value",
      "externalId",
      "members",
      "id",
      "constructor",
      "title",
      null,
    );
    const leaf = fc.constantFrom<unknown>(null, true, "False", "x", "", 0, [], {}, "\ud800");
    const value = fc.oneof(
      leaf,
      fc.dictionary(
        fc.constantFrom(
          "value",
          "type",
          "primary",
          "display",
          "givenName",
          "active",
          "emails",
          "userName",
          "__proto__",
          'emails[type eq "a"].value',
        ),
        leaf,
      ),
      fc.array(fc.oneof(leaf, fc.dictionary(fc.constantFrom("value", "type", "primary"), leaf)), { maxLength: 3 }),
    );
    const operation = fc.record({ op: fc.constantFrom("add", "replace", "remove"), path, value });
    let applied = 0;
    fc.assert(
      fc.property(emailList, fc.array(operation, { minLength: 1, maxLength: 3 }), (emails, Operations) => {
        const user: ScimUserDocument = { userName: "a@x.example", active: true, emails };
        const after = unlessRefused(() => applyUserPatch(user, parsePatch({ Operations })));
        if (!after) return;
        applied++;
        expect(after.userName.trim()).not.toBe("");
        expect(typeof after.active).toBe("boolean");
        expect(after.emails?.every((one) => one.value.trim() !== "")).not.toBe(false);
        expect(after.emails?.filter((one) => one.primary).length ?? 0).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2_000 },
    );
    expect(applied).toBeGreaterThan(100);
  }, 60_000);
});

const id = fc.constantFrom("a", "b", "c", "d", "e");
const ids = fc.array(id, { maxLength: 4 });
const members = (list: string[]) =>
  fc.constantFrom<unknown>(
    list,
    list.map((value) => ({ value })),
    list.map((value) => ({ $ref: null, value, display: "x", displayName: "y" })),
    ...(list.length === 1 ? [list[0], { value: list[0] }] : []),
  );

const groupChange: fc.Arbitrary<Said<Set<string>>> = fc.oneof(
  ids.chain((list) =>
    said<Set<string>>(
      members(list).chain((value) => written(cased("add"), "members", value)),
      (group) => list.forEach((one) => group.add(one)),
    ),
  ),
  ids.chain((list) =>
    said<Set<string>>(
      members(list).chain((value) => written(cased("replace"), "members", value)),
      (group) => {
        group.clear();
        list.forEach((one) => group.add(one));
      },
    ),
  ),
  ids
    .filter((list) => list.length > 0)
    .chain((list) =>
      said<Set<string>>(
        fc.oneof(
          fc.tuple(clear, members(list)).map(([op, value]) => ({ op, path: "members", value })),
          clear.map((op) => ({ op, path: `members[${list.map((one) => `value eq "${one}"`).join(" or ")}]` })),
        ),
        (group) => list.forEach((one) => group.delete(one)),
      ),
    ),
  id.chain((edge) =>
    said<Set<string>>(
      clear.map((op) => ({ op, path: `members[value ge "${edge}"]` })),
      (group) => [...group].forEach((one) => one >= edge && group.delete(one)),
    ),
  ),
  said<Set<string>>(
    clear.map((op) => ({ op, path: "members" })),
    (group) => group.clear(),
  ),
  said<Set<string>>(
    fc.constantFrom(
      { op: "replace", value: { id: "x", displayName: "Crew" } },
      { op: "add", path: "externalId", value: "e" },
    ),
    () => undefined,
  ),
);

/** What SQL would do with a step. */
function follow(group: Set<string>, step: MemberStep): Set<string> {
  switch (step.kind) {
    case "add":
      return new Set([...group, ...step.ids]);
    case "remove":
      return new Set([...group].filter((one) => !step.ids.includes(one)));
    case "replace":
      return new Set(step.ids);
    case "removeAll":
      return new Set();
    case "removeWhere": {
      const { filter } = step;
      const edge = filter.kind === "compare" && typeof filter.value === "string" ? filter.value : "";
      return new Set([...group].filter((one) => one < edge));
    }
  }
}

describe("the plan for a group", () => {
  it("does what is meant, in whichever dialect, in few steps", () => {
    fc.assert(
      fc.property(ids, fc.array(groupChange, { minLength: 1, maxLength: 10 }), (start, changes) => {
        const model = new Set(start);
        for (const { mean } of changes) mean(model);
        const Operations = changes.map(({ operation }) => operation);
        const plan = planGroupPatch(parsePatch(JSON.parse(JSON.stringify({ Operations }))));
        const after = plan.members.reduce(follow, new Set(start));
        expect([...after].sort()).toEqual([...model].sort());
        const filters = plan.members.filter(({ kind }) => kind === "removeWhere").length;
        expect(plan.members.length).toBeLessThanOrEqual(filters + 2 * (filters + 1));
        const twice = plan.members.filter((step) => "ids" in step && new Set(step.ids).size < step.ids.length);
        expect(twice).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  }, 60_000);
});
