import { Command } from 'commander'
import { examples } from './examples.ts'

/** A command of this program. */
export class CliCommand extends Command {
  /** Adds examples to the end of its help. */
  examples(...lines: readonly string[]): this {
    return this.addHelpText('after', examples(...lines))
  }
}
