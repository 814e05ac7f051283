// Which command a line of the user's is, as the engine reads it.

import { words } from "./notation.js";

/** The commands of the protocol. */
const STANDARD = new Set(
  "uci isready ucinewgame position go stop ponderhit setoption debug register quit".split(" "),
);
const FURTHER = new Set(
  "d eval flip bench genfens speedtest export_net policy perft help compiler license licence exit xboard".split(" "),
);
/** Those that do not wait for the end of a search. */
const AT_ONCE = new Set(
  "uci isready stop ponderhit debug register quit d eval help compiler license licence exit xboard".split(" "),
);

/** The name of the command and the words after it. Without a name the line asks for nothing. */
export function readCommand(line) {
  const all = words(line);
  const [first = "#"] = all;
  if (first.startsWith("#")) return { name: undefined, rest: [] };
  if (STANDARD.has(first) || FURTHER.has(first)) return { name: first, rest: all.slice(1) };
  // The engine finds those of the protocol after words that it does not know.
  const at = all.findIndex((word) => STANDARD.has(word));
  return at < 0 ? { name: undefined, rest: [] } : { name: all[at], rest: all.slice(at + 1) };
}

/** Whether the engine carries the command out during a search as well. */
export const isDoneAtOnce = ({ name }) => name === undefined || AT_ONCE.has(name);

/** Whether the command starts a search, which ends with a best move. */
export const isSearch = ({ name, rest }) =>
  name === "go" && !rest.some((word) => word.toLowerCase() === "perft");
