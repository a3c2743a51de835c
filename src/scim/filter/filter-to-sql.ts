import { sql, type SQL } from "drizzle-orm";
import type { FilterAttribute, FilterAttributes } from "./attributes.ts";
import { firstAfter } from "./compare-text.ts";
import type { Filter } from "./filter.ts";
import type { Test } from "./read-comparison.ts";
import { resolveFilter, type Condition } from "./resolve-filter.ts";

/**
 * The filter as a condition for WHERE; null counts as false. Values are bound parameters. It is equivalent to
 * `evaluateFilter` on the resource's JSON.
 * @throws ScimError `invalidFilter` for an unknown attribute, or an unsupported comparison
 */
export function filterToSql(filter: Filter, attributes: FilterAttributes): SQL {
  return toSql(resolveFilter<FilterAttribute>(filter, attributes));
}

function toSql(condition: Condition<FilterAttribute>): SQL {
  switch (condition.kind) {
    case "and":
    case "or":
      return joined(condition.conditions.map(toSql), condition.kind === "and" ? sql` AND ` : sql` OR `);
    case "not":
      return sql`(${toSql(condition.condition)}) IS NOT TRUE`;
    case "some": {
      const { list } = condition;
      if (list.type !== "multi") throw new Error("a list is a multi");
      const where = list.where ? sql`${list.where} AND ` : sql``;
      return sql`EXISTS (SELECT 1 FROM ${list.from} WHERE ${where}(${toSql(condition.condition)}))`;
    }
    case "test":
      return testSql(condition.attribute, condition.test);
  }
}

/** Halves in brackets, so that the expression is log n levels deep: SQLite refuses more than a thousand. */
function joined(conditions: SQL[], operator: SQL): SQL {
  if (conditions.length === 1) return sql`(${conditions[0]!})`;
  const half = conditions.length >> 1;
  return sql`(${joined(conditions.slice(0, half), operator)}${operator}${joined(conditions.slice(half), operator)})`;
}

function testSql(attribute: FilterAttribute, test: Test): SQL {
  if (attribute.type === "complex" || attribute.type === "multi") throw new Error("only values are tested");
  if ("over" in attribute) return sql`(${attribute.over((column) => valueSql(column, test))})`;
  // Emptiness has no case, and without lower() an index may serve.
  const lower = attribute.type === "string" && !attribute.caseExact && !attribute.lowered && test.kind === "text";
  const column = lower ? sql`lower(${attribute.column})` : attribute.column;
  if (test.kind === "present" && attribute.type !== "string") return sql`${column} IS NOT NULL`;
  return valueSql(column, test);
}

function valueSql(column: SQL, test: Test): SQL {
  switch (test.kind) {
    case "present":
      return sql`${column} <> ''`;
    case "boolean":
      return sql`${column} = ${test.value ? 1 : 0}`;
    case "instant":
      return ordered(column, test.operator, test.value);
    case "text":
      return textSql(column, test.operator, test.value);
  }
}

/** No LIKE: it has wildcards, and a case of its own. */
function textSql(column: SQL, operator: Extract<Test, { kind: "text" }>["operator"], value: string): SQL {
  switch (operator) {
    case "co":
      return sql`instr(${column}, ${value}) > 0`;
    case "sw": {
      // As a range, which an index on the column can answer.
      const after = firstAfter(value);
      return after === undefined ? sql`${column} >= ${value}` : sql`(${column} >= ${value} AND ${column} < ${after})`;
    }
    case "ew":
      // substr(x, -0) is all of x.
      return value === "" ? sql`${column} >= ''` : sql`substr(${column}, -${Array.from(value).length}) = ${value}`;
    default:
      return ordered(column, operator, value);
  }
}

function ordered(column: SQL, operator: "eq" | "gt" | "ge" | "lt" | "le", value: string | number): SQL {
  switch (operator) {
    case "eq":
      return sql`${column} = ${value}`;
    case "gt":
      return sql`${column} > ${value}`;
    case "ge":
      return sql`${column} >= ${value}`;
    case "lt":
      return sql`${column} < ${value}`;
    case "le":
      return sql`${column} <= ${value}`;
  }
}
