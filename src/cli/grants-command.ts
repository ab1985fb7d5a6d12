import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  type Account,
  type Connected,
  formatAccount,
  grantOnDatabase,
  grantOnTable,
  parseAccount,
  readConnected,
} from '../network/doctor/grant-statements.ts'
import {
  FEED_PRIVILEGE,
  MIGRATION_RIGHTS,
  rightsOnDatabase,
  rightsOnNetwork,
  rightsOnOwnTables,
  rightsOnSite,
  tablesOfMigrations,
} from '../network/doctor/needed-rights.ts'
import { findUnreadable } from '../wordpress/health/tables-and-rights.ts'
import { listBlogs } from '../wordpress/network/find-sites.ts'
import { type Site, siteOf } from '../wordpress/network/site.ts'
import { CliCommand } from './cli-command.ts'
import type { CliContext, CliServices } from './cli-context.ts'
import { getSite } from './sites/get-site.ts'
import { type SiteRef, siteOption } from './sites/site-options.ts'
import { assertMigrated, withServices } from './with-services.ts'

const PROGRAMS = ['service', 'migrate', 'feed'] as const

type GrantsOptions = {
  readonly user: Account
  readonly for: (typeof PROGRAMS)[number]
  readonly level: 'database' | 'tables'
  readonly site?: SiteRef
}

/** `grants`: prints the statements that give an account the rights that the service, `migrate` or the feed needs. Grants nothing itself. */
export function grantsCommand(context: CliContext): Command {
  return new CliCommand('grants')
    .addOption(
      new Option('--user <account>', 'the account: its name, or name@host')
        .argParser(parseUser)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--for <program>',
        'the service, or migrate or the change feed with an account of its own',
      )
        .choices(PROGRAMS)
        .default('service'),
    )
    .addOption(
      new Option(
        '--level <level>',
        'on the whole database, which includes sites that are added later, or on each table',
      )
        .choices(['database', 'tables'])
        .default('database'),
    )
    .addOption(siteOption().conflicts('for'))
    .examples(
      'wp-frames grants --user wpframes@10.0.0.%',
      'wp-frames grants --user wpframes --level tables --site 12',
      'wp-frames grants --user migrator --for migrate',
    )
    .action((options: GrantsOptions, command: Command) => {
      if (options.site !== undefined && options.level !== 'tables')
        command.error('error: --site needs --level tables')
      const work = async (services: CliServices): Promise<void> => {
        const to = { ...(await readConnected(services.db)), account: options.user }
        const lines =
          options.for === 'feed'
            ? onServer(to)
            : options.level === 'database'
              ? onDatabase(services, to, options)
              : await onTables(services, to, options)
        process.stdout.write(lines.map((line) => `${line}\n`).join(''))
      }
      return withServices(context, work, { tables: false })
    })
}

/** The privilege has no lower level. */
function onServer(to: Connected): string[] {
  return [
    ...headOf(
      to,
      'For FEED_DATABASE_URL. The account can read the changes of all databases of the server.',
    ),
    `GRANT ${FEED_PRIVILEGE} ON *.* TO ${formatAccount(to.account)};`,
  ]
}

/** @throws InvalidArgumentError */
function parseUser(text: string): Account {
  const account = parseAccount(text)
  if (account.user !== '') return account
  throw new InvalidArgumentError('Use the name of the account, or name@host.')
}

/** What each statement is for, as comments of SQL. */
function headOf({ account }: Connected, ...sentences: readonly string[]): string[] {
  return [
    ...sentences,
    `If the account does not exist yet: CREATE USER ${formatAccount(account)} IDENTIFIED BY '...';`,
  ].map((sentence) => `-- ${sentence}`)
}

function onDatabase(
  { globals }: CliServices,
  to: Connected,
  { for: program }: GrantsOptions,
): string[] {
  if (program === 'migrate')
    return [
      ...headOf(to, 'For "wp-frames migrate", which creates, alters and drops its own tables.'),
      grantOnDatabase(MIGRATION_RIGHTS, to),
    ]
  return [
    ...headOf(
      to,
      'Also for the tables of sites that are added later. The account can write all tables of the',
      'database, and create, alter and drop none. For rights on each table: --level tables.',
    ),
    grantOnDatabase(rightsOnDatabase(globals), to),
  ]
}

/** The statements of all tables, or only of those of a site. */
async function onTables(
  services: CliServices,
  to: Connected,
  { for: program, site: name }: GrantsOptions,
): Promise<string[]> {
  const { globals } = services
  const own = rightsOnOwnTables(globals)
  if (program === 'migrate')
    return [
      ...headOf(
        to,
        'For "wp-frames migrate", which creates, alters and drops its own tables. A new version may have',
        'more of them: run "wp-frames grants" of that version before its "wp-frames migrate".',
      ),
      ...rightsOnNetwork(globals).map(({ table, rights }) => grantOnTable(table, rights, to)),
      ...tablesOfMigrations(globals).map((table) => grantOnTable(table, MIGRATION_RIGHTS, to)),
    ]
  if (name === undefined) await assertMigrated(services)
  const sites = name === undefined ? await listAllSites(services) : [await getSite(services, name)]
  const shared = name === undefined ? [...rightsOnNetwork(globals), ...own] : []
  const uses = [...shared, ...sites.flatMap(({ tables }) => rightsOnSite(tables))]
  return [
    ...headOf(
      to,
      'For the sites that there are now. A site that is added later fails until its tables are',
      'granted too: wp-frames grants --level tables --site <id> --user <account>',
    ),
    ...uses.map(({ table, rights }) => grantOnTable(table, rights, to)),
  ]
}

/** Also those whose tables the connected account has no rights on yet. */
async function listAllSites({ db, globals }: CliServices): Promise<Site[]> {
  const blogs = await listBlogs(db, globals)
  const sites: Site[] = []
  for (const { row, isInstalled } of blogs) {
    const site = siteOf(globals, row)
    if (isInstalled || (await findUnreadable(db, [site.tables.options])).size > 0) sites.push(site)
  }
  return sites
}
