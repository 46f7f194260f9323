export { t as Pool } from "./packages.js";
