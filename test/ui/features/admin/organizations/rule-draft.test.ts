import { expect, test } from "vitest";
import {
  changesOf,
  checkRules,
  draftsOf,
  type LandingRule,
  moved,
  problemsOf,
  readAttributes,
  type RuleDraft,
  sentenceOf,
  toRules,
} from "../../../../../src/ui/features/admin/organizations/rule-draft.ts";

const rules: LandingRule[] = [
  { id: "r1", kind: "attribute", attribute: "department", value: "Sales", organization_id: "o1" },
  { id: "r2", kind: "group", attribute: "", value: "crew", organization_id: "o2" },
  { id: "r3", kind: "email_domain", attribute: "", value: "harbour.example", organization_id: "o2" },
];
const draft = (change: Partial<RuleDraft>): RuleDraft => ({
  key: "n",
  kind: "email_domain",
  attribute: "",
  value: "harbour.example",
  organization: "o1",
  ...change,
});
const homes = ["o1", "o2"];

test("a rule is said in plain words, with brackets for what is missing", () => {
  expect(draftsOf(rules).map(sentenceOf)).toEqual([
    "People whose department is Sales",
    "People of the group crew",
    "People with an e-mail at harbour.example",
  ]);
  expect(sentenceOf(draft({ kind: "attribute", value: " " }))).toBe("People whose (attribute) is (value)");
  expect(sentenceOf(draft({ value: "" }))).toBe("People with an e-mail at (domain)");
});

test("rules that are complete are fine; what is missing or wrong is found where it is", () => {
  expect(checkRules(draftsOf(rules), homes)).toEqual({});
  const found = checkRules(
    [
      draft({ key: "a", kind: "attribute", attribute: " ", value: "" }),
      draft({ key: "b", value: "nobody@harbour.example" }),
      draft({ key: "c", value: "@harbour.example" }),
      draft({ key: "d", organization: "gone" }),
    ],
    homes,
  );
  expect(Object.keys(found)).toEqual(["a", "b", "d"]);
  expect(Object.keys(found["a"] ?? {})).toEqual(["attribute", "value"]);
  expect(found["b"]?.value).toContain("harbour.example");
  expect(found["d"]?.organization).toBeDefined();
});

test("a rule that an earlier one makes useless is pointed at, whatever organization it leads to", () => {
  const [first, second] = [draft({ key: "a" }), draft({ key: "b", value: "Harbour.Example ", organization: "o2" })];
  expect(checkRules([first, second], homes)["b"]?.value).toContain("Rule 1");
  expect(checkRules([draft({ key: "a", kind: "group" }), second], homes)).toEqual({});
  // Groups and values are compared as they are.
  const group = (value: string, key: string) => draft({ key, kind: "group", value });
  expect(checkRules([group("Crew", "a"), group("crew", "b")], homes)).toEqual({});
});

test("what changed is named: added, removed, changed, moved", () => {
  const drafts = draftsOf(rules);
  const [one, two, three] = drafts as [RuleDraft, RuleDraft, RuleDraft];
  expect(changesOf(drafts, rules)).toEqual([]);
  expect(changesOf([...drafts, draft({})], rules)).toEqual(["1 rule added"]);
  expect(changesOf([two, three], rules)).toEqual(["1 rule removed"]);
  expect(changesOf([one, { ...two, value: "pilots" }, three], rules)).toEqual(["1 rule changed"]);
  expect(changesOf([one, { ...two, value: "crew " }, three], rules)).toEqual([]);
  expect(changesOf([two, one, three], rules)).toEqual(["order"]);
  expect(changesOf([three, draft({}), two], rules)).toEqual(["1 rule added", "1 rule removed", "order"]);
});

test("rules are sent trimmed, and an attribute only with the kind that looks at one", () => {
  expect(toRules(draftsOf(rules))).toEqual(rules.map(({ id: _id, ...rule }) => rule));
  expect(toRules([draft({ attribute: "left over", value: " harbour.example " })])).toEqual([
    { kind: "email_domain", attribute: "", value: "harbour.example", organization_id: "o1" },
  ]);
});

test("an entry moves by one place and stays at the ends", () => {
  expect(moved(["a", "b", "c"], 1, -1)).toEqual(["b", "a", "c"]);
  expect(moved(["a", "b", "c"], 1, 1)).toEqual(["a", "c", "b"]);
  expect(moved(["a", "b"], 0, -1)).toEqual(["a", "b"]);
  expect(moved(["a", "b"], 1, 1)).toEqual(["a", "b"]);
});

test("the service's complaints go to the rules that they are about", () => {
  const drafts = draftsOf(rules);
  const issues = {
    "rules.1.value": "No such group",
    "rules.2.organization_id": "No such organization",
    "rules.9.value": "x",
    rules: "too many",
  };
  expect(problemsOf(issues, drafts)).toEqual({
    r2: { value: "No such group" },
    r3: { organization: "No such organization" },
  });
});

test("attributes are read line by line; names may hold colons, and come twice", () => {
  expect(
    readAttributes("department: Sales\n\n urn:ietf:params:scim:User:division:  North \nteam:a\nteam:b\nteam: c"),
  ).toEqual({
    attributes: {
      department: "Sales",
      "urn:ietf:params:scim:User:division": "North",
      team: ["a", "b", "c"],
    },
    wrong: undefined,
  });
  expect(readAttributes("department = Sales").wrong).toBe("department = Sales");
  expect(readAttributes("").attributes).toEqual({});
});
