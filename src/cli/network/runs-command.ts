import { Command } from 'commander'
import { type Client, isServiceError, type Output } from '#client'
import { MAX_SITES_PER_PAGE, PLANS_PER_PAGE } from '../../api/endpoints/plans.ts'
import { findRunIds } from '../../plan/runs-table.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { examples } from '../examples.ts'
import {
  addListOptions,
  assertFields,
  formatRows,
  type List,
  type ListOptions,
} from '../list-output.ts'
import { parseId } from '../parse-id.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'

/** Characters of an id in a list. */
const SHOWN_ID = 8

type RunsOptions = ListOptions & EnvironmentOptions & { readonly limit?: number }

type ListedRun = Output<'listPlans'>['plans'][number]

const RUNS: List<ListedRun> = {
  id: 'id',
  shown: ['id', 'name', 'state', 'created_at', 'label', 'steps', 'sites'],
  others: ['message', 'user_id'],
  // Commands take the beginning of an id.
  inTable: { id: ({ id }) => id.slice(0, SHOWN_ID) },
  cells: {
    created_at: ({ created_at }) => created_at.slice(0, 19),
    sites: ({ sites }) =>
      Object.entries(sites)
        .map(([one, count]) => `${count} ${one.replace('_', ' ')}`)
        .join(', '),
  },
}

type RunResult = Output<'getPlan'>['results'][number]

const RESULTS: List<RunResult> = {
  id: 'site_id',
  shown: ['site_id', 'state', 'steps_total', 'message'],
  others: ['pages', 'applied_at', 'steps'],
  cells: { message: ({ message }) => message?.split('\n', 1)[0] },
}

/** The fields of both lists. */
const FIELDS: List<object> = {
  id: 'id',
  shown: RUNS.shown,
  others: [...(RUNS.others ?? []), 'site_id', 'steps_total', 'pages', 'applied_at'],
}

/** `runs [run]`: lists plans that were applied, or the sites of one. */
export function runsCommand(context: CliContext): Command {
  const command = new Command('runs')
    .argument('[run]', 'the id of a run, or its beginning')
    .option('--limit <number>', `how many runs [${PLANS_PER_PAGE.byDefault}]`, parseId)
    .addHelpText(
      'after',
      examples(
        'wp-frames runs --limit 5',
        'wp-frames runs 5b0c --format csv',
        'wp-frames runs 5b0c --fields site_id,state,message',
      ),
    )
  addListOptions(
    command,
    FIELDS,
    '[{id, name, state, created_at, label, user_id, steps, sites}], or what GET /network/plans/<run> answers',
  )
  return addEnvironmentOption(command).action((id: string | undefined, options: RunsOptions) =>
    withService(context, options, async ({ client }) => {
      if (id === undefined) {
        assertFields(RUNS, options)
        const { limit = PLANS_PER_PAGE.byDefault } = options
        const { plans } = await client.listPlans({ limit })
        process.stdout.write(formatRows(RUNS, plans, plans, options))
        return
      }
      assertFields(RESULTS, options)
      const run = await readRun(client, id)
      process.stdout.write(formatRows(RESULTS, run.results, run, options))
    }),
  )
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
async function readRun(client: Client, id: string) {
  const readPage = (after: number) => client.getPlan({ id, after, limit: MAX_SITES_PER_PAGE })
  let page = await readPage(0).catch((error) => {
    if (isServiceError(error, 'plan_not_found'))
      throw new CommandError(
        /^Several/.test(error.message)
          ? error.message
          : `There is no run ${id}. "wp-frames runs" lists the runs.`,
      )
    throw error
  })
  const results = [...page.results]
  while (page.next !== null) {
    page = await readPage(page.next)
    results.push(...page.results)
  }
  return { ...page, results }
}
