import { Command } from 'commander'
import { SCRIPTS_RISK } from '#wp-frames/api/endpoints/tokens'
import { examples } from '#wp-frames/cli/cli-command'
import { type CliContext, type CliServices, CommandError } from '#wp-frames/cli/cli-context'
import { addListOptions, formatRows, type List, type ListOptions } from '#wp-frames/cli/list-output'
import { readInputText } from '#wp-frames/cli/read-input'
import { pluralize, sanitizeForTerminal, warn } from '#wp-frames/cli/terminal'
import { withServices } from '#wp-frames/cli/with-services'
import { readRows } from '#wp-frames/db/sql'
import type { TokenScope } from '#wp-frames/record/auth/token-scopes'
import { isSuperAdminEverywhere } from '#wp-frames/wordpress/users/site-membership'
import { findUsersByLogin, type User } from '#wp-frames/wordpress/users/users'
import { type ImportedToken, type ImportResult, importTokens } from './import/import-tokens.ts'
import { readTokenRow, type TokenToImport } from './import/read-token-row.ts'
import { parseTokenFile, shownText, type TokenFile } from './import/token-rows.ts'

/** Largest file of an import, in bytes, and its most tokens. */
export const MAX_IMPORT_BYTES = 8 * 1024 * 1024
export const MAX_IMPORTED_TOKENS = 10_000

/** Problems of a file that are listed. */
const MAX_LISTED_PROBLEMS = 100

type ImportedRow = {
  readonly row: number
  /** Null for a new token of a dry run. */
  readonly id: number | null
  readonly login: string
  readonly label: string
  readonly scope: TokenScope
  readonly sites: readonly number[] | null
  readonly expires_at: string | null
  readonly result: 'imported' | 'updated' | 'unchanged'
}

const IMPORTED: List<ImportedRow> = {
  id: 'id',
  shown: ['row', 'id', 'login', 'label', 'scope', 'sites', 'expires_at', 'result'],
  cells: {
    id: ({ id }) => id ?? 'new',
    sites: ({ sites }) => sites ?? 'all',
    expires_at: ({ expires_at }) => expires_at ?? 'never',
  },
}

type ImportTokensOptions = ListOptions & { readonly dryRun?: true; readonly update?: true }

/** `token import <file>`: stores the hashes of tokens that another program has issued. */
export function importTokensCommand(context: CliContext): Command {
  const command = new Command('import')
    .argument('<file>', 'secrets or their SHA-256 with their users; - for standard input')
    .option('--dry-run', 'check the file and show what would be done, and write nothing')
    .option('--update', 'give tokens that are stored already the user and the limits in the file')
    .addHelpText(
      'after',
      `${FILE_FORMAT}${examples(
        'wp-frames token import tokens.csv --dry-run',
        'wp-frames token import - < tokens.json',
      )}`,
    )
  addListOptions(command, IMPORTED, 'the counts and the tokens')
  return command.action((name: string, options: ImportTokensOptions) =>
    withServices(context, async (services) => {
      const { dryRun = false, update = false } = options
      const limit = { maxBytes: MAX_IMPORT_BYTES, what: 'an import of tokens' }
      const file = parseTokenFile(await readInputText(name, limit))
      const { tokens, users } = await checkFile(services, file)
      const rows = await runImport(services, { file, tokens, users }, { dryRun, update })
      const counts = countResults(rows)
      const answer = { success: true, dry_run: dryRun, ...counts, tokens: rows }
      process.stdout.write(formatRows(IMPORTED, rows, answer, options))
      warn([summaryOf(counts, dryRun)])
      if (!dryRun && tokens.some(({ isSecret }) => isSecret))
        warn([
          'The file contains secrets, and wp-frames stores only their hashes. Delete the file.',
        ])
      await warnAboutScripts(services, tokens, users)
    }),
  )
}

const FILE_FORMAT = `
A CSV file has a header line; JSON is a list of objects. The fields:
  token or sha256  the secret (op_ and 64 letters and digits), or its SHA-256 (64 hexadecimal digits)
  user             login of the user that the token acts as
  label            a note on its purpose; may be left out
  expires_at       2027-01-01T00:00:00Z; never if left out
  scope            read, frames, menus or all; all if left out
  sites            ids of its only sites, "2 5" in CSV, [2, 5] in JSON; all if left out
`

type Checked = {
  readonly tokens: readonly TokenToImport[]
  readonly users: ReadonlyMap<string, User>
}

/** @throws CommandError with every problem of the file */
async function checkFile(services: CliServices, { unit, rows }: TokenFile): Promise<Checked> {
  if (rows.length === 0) throw new CommandError('The file contains no tokens.')
  if (rows.length > MAX_IMPORTED_TOKENS)
    throw new CommandError(
      `The file contains ${rows.length} tokens, and an import can have ${MAX_IMPORTED_TOKENS}. Split the file.`,
    )
  const problems: string[] = []
  const report = (row: number, problem: string) => problems.push(`${unit} ${row}: ${problem}.`)
  const tokens: TokenToImport[] = []
  for (const row of rows) {
    const read = readTokenRow(row)
    if ('problems' in read) for (const problem of read.problems) report(row.row, problem)
    else tokens.push(read)
  }
  const { db, globals } = services
  const users = await findUsersByLogin(db, globals, [...new Set(tokens.map(({ login }) => login))])
  const blogs = await readRows<{ blog_id: number }>(db, 'SELECT blog_id FROM :blogs:', {
    blogs: globals.blogs,
  })
  const known = new Set(blogs.map(({ blog_id }) => blog_id))
  const rowOf = new Map<string, number>()
  for (const { row, hash, login, limits } of tokens) {
    const user = users.get(login)
    if (!user)
      report(
        row,
        `user: no user has the login ${shownText(login)}; write the login, not the displayed name`,
      )
    else if (user.isBlocked)
      report(
        row,
        `user: ${shownText(login)} is marked as spam or deleted, so the token would be invalid`,
      )
    const missing = limits.sites?.filter((id) => !known.has(id)) ?? []
    if (missing.length > 0)
      report(
        row,
        `sites: there is no site ${missing.slice(0, 10).join()}; "wp-frames sites" lists the sites`,
      )
    const hex = hash.toString('hex')
    const first = rowOf.get(hex)
    if (first === undefined) rowOf.set(hex, row)
    else report(row, `has the same secret as ${unit.toLowerCase()} ${first}; remove one`)
  }
  assertNone(problems)
  return { tokens, users }
}

/** @throws CommandError with these problems */
function assertNone(problems: readonly string[]): void {
  if (problems.length === 0) return
  const listed = problems.slice(0, MAX_LISTED_PROBLEMS)
  const more = problems.length - listed.length
  const rest = more > 0 ? [`And ${pluralize(more, 'more problem')}.`] : []
  const count = pluralize(problems.length, 'problem')
  throw new CommandError(
    [...listed, ...rest, `${count} in the file. Nothing was imported.`].join('\n'),
  )
}

/**
 * Imports the tokens in one transaction.
 * @throws CommandError with every token that is refused
 */
async function runImport(
  { db, globals }: CliServices,
  { file, tokens, users }: Checked & { readonly file: TokenFile },
  { dryRun, update }: { readonly dryRun: boolean; readonly update: boolean },
): Promise<ImportedRow[]> {
  const imported = tokens.map(({ hash, label, expiresAt, limits, login }): ImportedToken => {
    return { hash, label, expiresAt, limits, userId: users.get(login)?.id ?? 0 }
  })
  return db.write({ dryRun }, async (tx) => {
    const results = await importTokens(tx, globals, imported, {
      mayUpdate: update,
      now: new Date(),
    })
    const problems: string[] = []
    const rows = tokens.flatMap(({ row, login, label, expiresAt: expires_at, limits }, at) => {
      const result = results[at]
      const refusal = result && describeRefusal(result, expires_at)
      if (refusal !== undefined) problems.push(`${file.unit} ${row}: ${refusal}.`)
      if (!result || !isDone(result)) return []
      const id = dryRun && result.result === 'imported' ? null : result.id
      return [{ row, id, login, label, ...limits, expires_at, result: result.result }]
    })
    assertNone(problems)
    return rows
  })
}

const isDone = (
  result: ImportResult,
): result is Extract<ImportResult, { readonly result: ImportedRow['result'] }> =>
  result.result === 'imported' || result.result === 'updated' || result.result === 'unchanged'

function describeRefusal(result: ImportResult, expiresAt: string | null): string | undefined {
  switch (result.result) {
    case 'expired':
      return `expires_at: ${expiresAt} GMT has passed; remove the token from the file`
    case 'revoked':
      return `the token was revoked here on ${result.revokedAt} GMT (token ${result.id}), and stays so; issue a new one with "wp-frames token issue"`
    case 'different':
      return `the token is stored with other values of ${result.fields.join(', ')} (token ${result.id}); correct the file, or give it the values of the file with --update`
    default:
      return undefined
  }
}

type ImportCounts = { readonly [Result in ImportedRow['result']]: number }

function countResults(rows: readonly ImportedRow[]): ImportCounts {
  const count = (result: ImportedRow['result']) =>
    rows.filter((row) => row.result === result).length
  return {
    imported: count('imported'),
    updated: count('updated'),
    unchanged: count('unchanged'),
  }
}

function summaryOf({ imported, updated, unchanged }: ImportCounts, dryRun: boolean): string {
  const counts = `${pluralize(imported, 'token')} imported, ${updated} updated, ${unchanged} unchanged`
  return dryRun ? `Dry run, nothing was written: ${counts}.` : `${counts}.`
}

/** Warns on standard error of tokens that can write scripts although their users are not super administrators. */
async function warnAboutScripts(
  { config, db, globals }: CliServices,
  tokens: readonly TokenToImport[],
  users: ReadonlyMap<string, User>,
): Promise<void> {
  if (config.markupWriters === 'super-admins') return
  const writers = new Set(
    tokens
      .filter(({ limits: { scope } }) => scope === 'all' || scope === 'frames')
      .map(({ login }) => login),
  )
  const logins: string[] = []
  for (const login of writers) {
    const user = users.get(login)
    if (user && !(await isSuperAdminEverywhere(db, globals, user))) logins.push(login)
  }
  if (logins.length === 0) return
  const some = logins.slice(0, 10).map((login) => `"${login}"`)
  const more = logins.length > some.length ? ` and ${logins.length - some.length} more` : ''
  process.stderr.write(
    sanitizeForTerminal(
      `Warning: tokens of users who are not super administrators (${some.join(', ')}${more}) can write markup with scripts. ${SCRIPTS_RISK}\n`,
    ),
  )
}
