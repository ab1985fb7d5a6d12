import { Command } from 'commander'
import { listHistoryEndpoint } from '../../api/history/list-history.endpoint.ts'
import { listNetworkHistoryEndpoint } from '../../api/network/network-history.endpoints.ts'
import { callNetwork, callSite } from '../call-endpoint.ts'
import type { CliContext, CliServices } from '../cli-context.ts'
import { getSite, type SiteRef, siteOption } from '../sites/site-options.ts'
import { formatTable, jsonLine } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { addFilterOptions, type FilterOptions, parseId } from './history-options.ts'

type HistoryOptions = FilterOptions & {
  readonly site?: SiteRef
  readonly limit: number
  readonly json?: true
}

const LIMIT = 50
const COLUMNS = ['entry', 'time (GMT)', 'site', 'kind', 'name', 'action', 'user', 'by', 'request']

/** `history`: lists what was written, by whom, newest first. */
export function historyCommand(context: CliContext): Command {
  const command = new Command('history')
    .description('list what was written to a site or to the network, by whom, newest first')
    .addOption(siteOption())
    .option('--limit <number>', 'how many entries', parseId, LIMIT)
    .option('--json', 'print what GET /site/<id>/history or /network/history answers')
  return addFilterOptions(command).action((options: HistoryOptions) =>
    withServices(context, async (services) => {
      await assertMigrated(services)
      const history = await readHistory(services, options)
      process.stdout.write(
        options.json ? jsonLine(history) : formatTable([COLUMNS, ...history.entries.map(rowOf)]),
      )
    }),
  )
}

/** As many pages as the limit needs, as one. */
async function readHistory(
  services: CliServices,
  { site: name, json: _, limit, ...filter }: HistoryOptions,
) {
  const site = name && (await getSite(services, name))
  const readPage = (query: object) =>
    site
      ? callSite(services, site, listHistoryEndpoint, { query })
      : callNetwork(services, listNetworkHistoryEndpoint, { query })
  let page = await readPage({ ...filter, limit })
  const entries = [...page.entries]
  while (page.next_cursor !== null && entries.length < limit) {
    const rest = { limit: limit - entries.length, cursor: page.next_cursor }
    page = await readPage({ ...filter, ...rest })
    entries.push(...page.entries)
  }
  return { ...page, entries }
}

type HistoryEntry = Awaited<ReturnType<typeof readHistory>>['entries'][number]

function rowOf(entry: HistoryEntry): string[] {
  const { id, at, site_id, kind, name, ref, action, user_id, token_id, label } = entry
  const token = token_id === null ? (label ?? '') : `token ${token_id} ${label ?? ''}`.trim()
  return [
    String(id),
    at,
    site_id === 0 ? '-' : String(site_id),
    kind,
    name || ref,
    action,
    user_id === null ? '-' : String(user_id),
    token,
    entry.request_id ?? '-',
  ]
}
