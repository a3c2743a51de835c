import process from "node:process";
import { main } from "../monitor/parley-smoke.mjs";

/** npm run smoke -- --url URL --key KEY: the three levels of health, as the file for monitors asks them. `--help` lists the options. */
process.exitCode = await main(process.argv.slice(2));
