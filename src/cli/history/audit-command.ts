import { type Command, Option } from 'commander'
import type { EntryRow } from '../../record/history/history-row.ts'
import { listEntries } from '../../record/history/read-history.ts'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { fieldsOption, formatRows, type List, pickFields } from '../list-output.ts'
import { getSite } from '../sites/get-site.ts'
import { type SiteRef, siteOption } from '../sites/site-options.ts'
import { jsonLine } from '../terminal.ts'
import { withServices } from '../with-services.ts'
import { addFilterOptions, type FilterOptions } from './history-options.ts'

/** Entries that are read at a time. */
const BATCH_SIZE = 1000

const FORMATS = ['jsonl', 'csv', 'ids'] as const

type AuditOptions = FilterOptions & {
  readonly site?: SiteRef
  readonly format: (typeof FORMATS)[number]
  readonly fields?: readonly string[]
}

/** An entry with its state as a value. */
type AuditRow = Omit<EntryRow, 'state'> & { readonly state: unknown }

const ROWS: List<AuditRow> = {
  id: 'id',
  shown: [
    'id',
    'blog_id',
    'kind',
    'ref',
    'name',
    'action',
    'content',
    'version',
    'previous',
    'user_id',
    'token_id',
    'label',
    'request_id',
    'created_at',
    'state',
  ],
}

/** `audit`: exports entries, oldest first, with the fields of the table that the API does not show. */
export function auditCommand(context: CliContext): Command {
  const command = new CliCommand('audit')
    .addOption(siteOption())
    .addOption(
      new Option('--format <format>', 'JSON Lines, CSV, or ids, one a line')
        .choices(FORMATS)
        .default('jsonl'),
    )
    .addOption(fieldsOption(ROWS))
    .examples(
      'wp-frames audit --since 2026-03-01 > audit.jsonl',
      'wp-frames audit --site 2 --kind frame --format csv --fields created_at,name,action,user_id',
    )
  return addFilterOptions(command).action((options: AuditOptions) =>
    withServices(context, async (services) => {
      const { db, globals } = services
      const { site: name, user: userId, token: tokenId, request: requestId, ...given } = options
      const { format, fields, ...filter } = given
      const blogId = name && (await getSite(services, name)).blogId
      for (let after = 0, isFirst = true; ; isFirst = false) {
        const entries = await listEntries(db, globals, blogId, {
          ...filter,
          userId,
          tokenId,
          requestId,
          order: 'oldest',
          after,
          limit: BATCH_SIZE,
        })
        const rows = entries.map(({ state, ...entry }) => ({
          ...entry,
          state: JSON.parse(state ?? 'null'),
        }))
        process.stdout.write(formatPart(rows, { format, fields }, isFirst))
        const last = entries.at(-1)
        if (!last || entries.length < BATCH_SIZE) return
        after = last.id
      }
    }),
  )
}

/** A part of the entries; the first one of CSV has the heading. */
function formatPart(
  rows: readonly AuditRow[],
  {
    format,
    fields,
  }: { readonly format: AuditOptions['format']; readonly fields: AuditOptions['fields'] },
  isFirst: boolean,
): string {
  if (format === 'jsonl')
    return rows.map((row) => jsonLine(fields ? pickFields(ROWS, row, fields) : row)).join('')
  const text = formatRows(ROWS, rows, undefined, { format, ...(fields ? { fields } : {}) })
  return format === 'csv' && !isFirst ? text.slice(text.indexOf('\n') + 1) : text
}
