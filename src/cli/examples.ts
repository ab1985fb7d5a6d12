/** The heading of the examples in a help text. */
export const EXAMPLES_HEADING = 'Examples:'

/** The end of the help text of a command: for `addHelpText('after', ...)`. */
export const examples = (...lines: readonly string[]): string =>
  `\n${EXAMPLES_HEADING}\n${lines.map((line) => `  $ ${line}\n`).join('')}`
