import { Command } from 'commander'
import { listRunSites, listRuns, type RunSummary } from '../../plan/runs-table.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { parseId } from '../history/history-options.ts'
import { formatTable, jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { withServices } from '../with-services.ts'

const DEFAULT_LIMIT = 20

/** `runs [run]`: lists plans that were applied, or the sites of one. */
export function runsCommand(context: CliContext): Command {
  return new Command('runs')
    .description('list the latest runs of apply, or the sites of one run')
    .argument('[run]', 'the id of a run')
    .option('--limit <number>', `how many runs [${DEFAULT_LIMIT}]`, parseId)
    .option('--json', 'print [{id, name, state, created_at, sites}], or [{blog_id, state, …}]')
    .action((id: string | undefined, { limit = DEFAULT_LIMIT, json }: RunsOptions) =>
      withServices(context, async ({ db, globals }) => {
        const runs = await listRuns(db, globals, { limit, ...(id === undefined ? {} : { id }) })
        if (id === undefined) {
          process.stdout.write(
            json ? jsonLine(runs) : formatTable([RUN_COLUMNS, ...runs.map(runRow)]),
          )
          return
        }
        if (runs.length === 0) throw new CommandError(`There is no run ${id}.`)
        const sites = await listRunSites(db, globals, id)
        const rows = sites.map(({ blog_id, state, step_count, message }) => [
          String(blog_id),
          state,
          String(step_count),
          message?.split('\n', 1)[0] ?? '',
        ])
        process.stdout.write(
          json ? jsonLine(sites) : sanitizeForTerminal(formatTable([SITE_COLUMNS, ...rows])),
        )
      }),
    )
}

type RunsOptions = { readonly limit?: number; readonly json?: true }

const RUN_COLUMNS = ['run', 'description', 'state', 'created (GMT)', 'sites']
const SITE_COLUMNS = ['site', 'state', 'steps', '']

function runRow({ id, name, state, created_at, sites }: RunSummary): string[] {
  const counts = Object.entries(sites).map(([one, count]) => `${count} ${one.replace('_', ' ')}`)
  return [id, name, state, created_at.slice(0, 19), counts.join(', ')]
}
