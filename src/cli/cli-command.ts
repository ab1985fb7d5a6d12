import { Command } from 'commander'

/** A command of this program. */
export class CliCommand extends Command {
  /** Adds examples to the end of its help. */
  examples(...lines: readonly string[]): this {
    return this.addHelpText('after', examples(...lines))
  }
}

/** The heading of the examples in a help text. */
export const EXAMPLES_HEADING = 'Examples:'

/** The end of the help text of a command. */
export const examples = (...lines: readonly string[]): string =>
  `\n${EXAMPLES_HEADING}\n${lines.map((line) => `  $ ${line}\n`).join('')}`
