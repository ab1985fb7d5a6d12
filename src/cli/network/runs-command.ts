import type { Command } from 'commander'
import type { Plan } from '#client'
import { PLANS_PER_PAGE } from '../../api/page-sizes.ts'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import {
  addListOptions,
  assertFields,
  formatRows,
  type List,
  type ListOptions,
} from '../list-output.ts'
import { parseId } from '../parse-id.ts'
import { atService, type Service } from '../with-service.ts'
import { describeStates, findPlan, type PlannedSite, readWholePlan } from './run-client.ts'

/** Characters of an id in a list. */
const SHOWN_ID = 8

type RunsOptions = ListOptions & { readonly limit?: number }

const RUNS: List<Plan> = {
  id: 'id',
  shown: ['id', 'title', 'state', 'created_at', 'label', 'steps', 'sites'],
  others: ['name', 'message', 'user_id'],
  // Commands take the beginning of an id.
  inTable: { id: ({ id }) => id.slice(0, SHOWN_ID) },
  cells: {
    created_at: ({ created_at }) => created_at.slice(0, 19),
    sites: ({ sites }) => describeStates(sites),
  },
}

const RESULTS: List<PlannedSite> = {
  id: 'site_id',
  shown: ['site_id', 'address', 'state', 'steps_total', 'message'],
  others: ['pages', 'applied_at', 'steps'],
  cells: { message: ({ message }) => message?.split('\n', 1)[0] },
}

/** The fields of both lists. */
const FIELDS: List<object> = {
  id: 'id',
  shown: RUNS.shown,
  others: [...(RUNS.others ?? []), 'site_id', 'address', 'steps_total', 'pages', 'applied_at'],
}

/** `runs [run]`: lists plans that were applied, or the sites of one. */
export function runsCommand(context: CliContext): Command {
  const command = new CliCommand('runs')
    .argument('[run]', 'the id of a run, or its beginning')
    .option('--limit <number>', `how many runs [${PLANS_PER_PAGE.byDefault}]`, parseId)
    .examples(
      'wp-frames runs --limit 5',
      'wp-frames runs 5b0c --format csv',
      'wp-frames runs 5b0c --fields site_id,state,message',
    )
  addListOptions(
    command,
    FIELDS,
    '[{id, title, name, state, created_at, label, user_id, steps, sites}], or what GET /network/plans/<run> answers',
  )
  return atService(context, command, showRuns)
}

async function showRuns(
  { client }: Service,
  id: string | undefined,
  options: RunsOptions,
): Promise<void> {
  if (id === undefined) {
    assertFields(RUNS, options)
    const { limit = PLANS_PER_PAGE.byDefault } = options
    const { plans } = await client.listPlans({ limit })
    process.stdout.write(formatRows(RUNS, plans, plans, options))
    return
  }
  assertFields(RESULTS, options)
  const run = await readWholePlan(client, (await findPlan(client, id)).id)
  process.stdout.write(formatRows(RESULTS, run.results, run, options))
}
