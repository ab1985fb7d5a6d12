import { Command } from 'commander'
import { saying } from '../call-endpoint.ts'
import type { CliContext } from '../cli-context.ts'
import { getNetworkEntryEndpoint } from '../endpoints.ts'
import { examples } from '../examples.ts'
import { jsonLine, textForOutput } from '../terminal.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'
import { parseId } from './history-options.ts'

type DiffOptions = EnvironmentOptions & { readonly json?: true }

/** `diff <entry>`: shows what an entry of the history changed. */
export function diffCommand(context: CliContext): Command {
  const command = new Command('diff')
    .argument('<entry>', 'its id, see "wp-frames history"', parseId)
    .option('--json', 'print what GET /network/history/<entry> answers')
    .addHelpText('after', examples('wp-frames diff 1207'))
  return addEnvironmentOption(command).action((id: number, options: DiffOptions) =>
    withService(context, options, async (service) => {
      const sentence = `The history has no entry ${id}. "wp-frames history" lists the entries; old ones are deleted.`
      const entry = await service
        .callNetwork(getNetworkEntryEndpoint, { params: { entry: String(id) } })
        .catch(saying('entry_not_found', sentence))
      process.stdout.write(options.json ? jsonLine(entry) : textForOutput(`${entry.diff}\n`))
    }),
  )
}
