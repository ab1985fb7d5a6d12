import { Command } from 'commander'
import type { EntryRow } from '../../history/history-row.ts'
import { listEntries } from '../../history/read-history.ts'
import type { CliContext } from '../cli-context.ts'
import { getSite, type SiteRef, siteOption } from '../sites/site-options.ts'
import { formatTable, jsonLine } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { addFilterOptions, type FilterOptions, filterOf, parseId } from './history-options.ts'

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
    .option('--json', 'print a list of entries')
  return addFilterOptions(command).action((options: HistoryOptions) =>
    withServices(context, async (services) => {
      await assertMigrated(services)
      const { db, globals } = services
      const site = options.site && (await getSite(services, options.site))
      const filter = { ...filterOf(options), limit: options.limit }
      const entries = await listEntries(db, globals, site?.blogId, filter)
      process.stdout.write(
        options.json ? jsonLine(entries) : formatTable([COLUMNS, ...entries.map(rowOf)]),
      )
    }),
  )
}

function rowOf(entry: EntryRow): string[] {
  const { id, created_at, blog_id, kind, name, ref, action, user_id, token_id, label } = entry
  const token = token_id === null ? (label ?? '') : `token ${token_id} ${label ?? ''}`.trim()
  return [
    String(id),
    created_at,
    blog_id === 0 ? '-' : String(blog_id),
    kind,
    name || ref,
    action,
    user_id === null ? '-' : String(user_id),
    token,
    entry.request_id ?? '-',
  ]
}
