import { Command } from 'commander'
import { StateDiffs } from '../../diff/state-diffs.ts'
import { networkHistory } from '../../history/history-row.ts'
import { findPreviousEntry, readEntries } from '../../history/read-history.ts'
import { readState } from '../../restore/thing-at.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { jsonLine, textForOutput } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { parseId } from './history-options.ts'

/** `diff <entry>`: shows what an entry of the history changed. */
export function diffCommand(context: CliContext): Command {
  return new Command('diff')
    .description('show what an entry of the history changed')
    .argument('<entry>', 'its id, see "wp-frames history"', parseId)
    .option('--json', 'print {entry, diff, items}')
    .action((id: number, { json }: { readonly json?: true }) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const { db, globals } = services
        const [entry] = await readEntries(db, globals, 'id = :id', { id })
        if (!entry) {
          throw new CommandError(
            `The history has no entry ${id}. "wp-frames history" lists the entries; old ones are deleted.`,
          )
        }
        const site = { ...networkHistory(globals), blogId: entry.blog_id }
        const previous = await findPreviousEntry(db, site, entry)
        const before = previous && (await readState(db, site, previous))
        const after = await readState(db, site, entry)
        const { text, items } = await new StateDiffs(site).diff(entry.kind, before, after)
        process.stdout.write(
          json ? jsonLine({ entry, diff: text, items }) : textForOutput(`${text}\n`),
        )
      }),
    )
}
