import { StartError } from "../launch/start-error.ts";

const quotes = ["'", "`", '"'];

/**
 * The text of a file of variables as `wrangler dev --env-file` reads it (dotenv). Values stay as they are, since a value
 * between quotes can hold all but the quote itself; `\n` between double quotes would become a new line, so they come last.
 * @throws StartError for a value that has all three kinds of quotes
 */
export function writeVariables(variables: Record<string, string>): string {
  return Object.entries(variables)
    .map(([name, value]) => {
      const quote = quotes.find((each) => !value.includes(each));
      if (quote === undefined)
        throw new StartError(
          `${name} has ${quotes.join(" and ")} in it, which a file of variables cannot hold.`,
          "usage",
        );
      return `${name}=${quote}${value}${quote}\n`;
    })
    .join("");
}
