import { Command } from 'commander'
import { listEntries } from '../../history/read-history.ts'
import type { CliContext } from '../cli-context.ts'
import { getSite, type SiteRef, siteOption } from '../sites/site-options.ts'
import { jsonLine } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { addFilterOptions, type FilterOptions } from './history-options.ts'

/** Entries that are read at a time. */
const BATCH_SIZE = 1000

/** `audit`: exports entries as JSON Lines, oldest first, with the fields of the table that the API does not show. */
export function auditCommand(context: CliContext): Command {
  const command = new Command('audit')
    .description('export entries of the history as JSON Lines, oldest first')
    .addOption(siteOption())
  return addFilterOptions(command).action((options: FilterOptions & { readonly site?: SiteRef }) =>
    withServices(context, async (services) => {
      await assertMigrated(services)
      const { db, globals } = services
      const { site: name, user: userId, token: tokenId, request: requestId, ...filter } = options
      const blogId = name && (await getSite(services, name)).blogId
      for (let after = 0; ; ) {
        const entries = await listEntries(db, globals, blogId, {
          ...filter,
          userId,
          tokenId,
          requestId,
          order: 'oldest',
          after,
          limit: BATCH_SIZE,
        })
        for (const { state, ...entry } of entries)
          process.stdout.write(jsonLine({ ...entry, state: JSON.parse(state ?? 'null') }))
        const last = entries.at(-1)
        if (!last || entries.length < BATCH_SIZE) return
        after = last.id
      }
    }),
  )
}
