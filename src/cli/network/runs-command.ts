import { Command } from 'commander'
import { getPlanEndpoint, MAX_SITES_PER_PAGE } from '../../api/network/plan.endpoints.ts'
import { findRunIds, listRuns, type RunSummary } from '../../plan/runs-table.ts'
import { callNetwork, saying } from '../call-endpoint.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { parseId } from '../history/history-options.ts'
import { formatTable, jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { withServices } from '../with-services.ts'

const DEFAULT_LIMIT = 20

/** `runs [run]`: lists plans that were applied, or the sites of one. */
export function runsCommand(context: CliContext): Command {
  return new Command('runs')
    .description('list the latest runs of apply, or the sites of one run')
    .argument('[run]', 'the id of a run, or its beginning')
    .option('--limit <number>', `how many runs [${DEFAULT_LIMIT}]`, parseId)
    .option(
      '--json',
      'print [{id, name, state, created_at, sites}], or what GET /network/plans/<run> answers',
    )
    .action((id: string | undefined, { limit = DEFAULT_LIMIT, json }: RunsOptions) =>
      withServices(context, async (services) => {
        const { db, globals } = services
        if (id === undefined) {
          const runs = await listRuns(db, globals, { limit })
          process.stdout.write(
            json ? jsonLine(runs) : formatTable([RUN_COLUMNS, ...runs.map(runRow)]),
          )
          return
        }
        const run = await readRun(services, await getRunId(services, id))
        const rows = run.results.map(({ site_id, state, steps_total, message }) => [
          String(site_id),
          state,
          String(steps_total),
          message?.split('\n', 1)[0] ?? '',
        ])
        process.stdout.write(
          json ? jsonLine(run) : sanitizeForTerminal(formatTable([SITE_COLUMNS, ...rows])),
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

/** Characters of an id that name a run. */
const SHORTEST_ID = 4

/**
 * The id of a run that is named by the beginning of its id.
 * @throws CommandError if there is none, or several
 */
export async function getRunId({ db, globals }: CliServices, name: string): Promise<string> {
  if (name.length < SHORTEST_ID)
    throw new CommandError(`Use at least ${SHORTEST_ID} characters of the id of the run.`)
  const [id, other] = await findRunIds(db, { globals, prefix: name })
  if (id === undefined)
    throw new CommandError(`There is no run ${name}. "wp-frames runs" lists the runs.`)
  if (other !== undefined)
    throw new CommandError(`Several runs begin with ${name}, such as ${id} and ${other}.`)
  return id
}

/** All pages as one. */
async function readRun(services: CliServices, id: string) {
  const readPage = (after: number) =>
    callNetwork(services, getPlanEndpoint, {
      params: { id },
      query: { after, limit: MAX_SITES_PER_PAGE },
    })
  let page = await readPage(0).catch(saying('plan_not_found', `There is no run ${id}.`))
  const results = [...page.results]
  while (page.next !== null) {
    page = await readPage(page.next)
    results.push(...page.results)
  }
  return { ...page, results }
}
