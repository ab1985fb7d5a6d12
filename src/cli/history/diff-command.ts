import { Command } from 'commander'
import { getNetworkEntryEndpoint } from '../../api/network/network-history.endpoints.ts'
import { callNetwork, saying } from '../call-endpoint.ts'
import type { CliContext } from '../cli-context.ts'
import { jsonLine, textForOutput } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { parseId } from './history-options.ts'

/** `diff <entry>`: shows what an entry of the history changed. */
export function diffCommand(context: CliContext): Command {
  return new Command('diff')
    .description('show what an entry of the history changed')
    .argument('<entry>', 'its id, see "wp-frames history"', parseId)
    .option('--json', 'print what GET /network/history/<entry> answers')
    .action((id: number, { json }: { readonly json?: true }) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const sentence = `The history has no entry ${id}. "wp-frames history" lists the entries; old ones are deleted.`
        const entry = await callNetwork(services, getNetworkEntryEndpoint, {
          params: { entry: String(id) },
        }).catch(saying('entry_not_found', sentence))
        process.stdout.write(json ? jsonLine(entry) : textForOutput(`${entry.diff}\n`))
      }),
    )
}
