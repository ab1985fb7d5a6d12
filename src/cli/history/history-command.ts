import { Command } from 'commander'
import type { Service } from '../call-endpoint.ts'
import type { CliContext } from '../cli-context.ts'
import { listHistoryEndpoint, listNetworkHistoryEndpoint } from '../endpoints.ts'
import { examples } from '../examples.ts'
import { addListOptions, formatRows, type List, type ListOptions } from '../list-output.ts'
import { type SiteRef, siteOption } from '../sites/site-options.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'
import { addFilterOptions, type FilterOptions, parseId } from './history-options.ts'

type HistoryOptions = FilterOptions &
  ListOptions &
  EnvironmentOptions & { readonly site?: SiteRef; readonly limit: number }

const LIMIT = 50

const ENTRIES: List<HistoryEntry> = {
  id: 'id',
  shown: ['id', 'at', 'site_id', 'kind', 'name', 'action', 'user_id', 'by', 'request_id'],
  others: ['ref', 'exists', 'token_id', 'label'],
  cells: {
    site_id: ({ site_id }) => (site_id === 0 ? '-' : site_id),
    name: ({ name, ref }) => name || ref,
    user_id: ({ user_id }) => user_id ?? '-',
    by: ({ token_id, label }) =>
      token_id === null ? (label ?? '') : `token ${token_id} ${label ?? ''}`.trim(),
    request_id: ({ request_id }) => request_id ?? '-',
  },
}

/** `history`: lists what was written, by whom, newest first. */
export function historyCommand(context: CliContext): Command {
  const command = new Command('history')
    .addOption(siteOption())
    .option('--limit <number>', 'how many entries', parseId, LIMIT)
    .addHelpText(
      'after',
      examples(
        'wp-frames history --site 2 --kind frame --limit 20',
        'wp-frames history --since 2026-03-01 --format csv --fields at,site_id,kind,name,action,by',
      ),
    )
  addListOptions(command, ENTRIES, 'what GET /site/<id>/history or /network/history answers')
  return addEnvironmentOption(addFilterOptions(command)).action((options: HistoryOptions) =>
    withService(context, options, async (service) => {
      const history = await readHistory(service, options)
      process.stdout.write(formatRows(ENTRIES, history.entries, history, options))
    }),
  )
}

/** As many pages as the limit needs, as one. */
async function readHistory(
  service: Service,
  { site: name, limit, json: _, format: __, fields: ___, env: ____, ...filter }: HistoryOptions,
) {
  const site = name && (await service.getSite(name))
  const readPage = (query: object) =>
    site
      ? service.callSite(site, listHistoryEndpoint, { query })
      : service.callNetwork(listNetworkHistoryEndpoint, { query })
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
