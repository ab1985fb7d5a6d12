import type { Command } from 'commander'
import { type NetworkIdentity, readIdentity } from '../../build/publishing/network-identity.ts'
import { describeAddress } from '../../db/connection.ts'
import { formatList } from '../../network/doctor/finding.ts'
import {
  declareCopied,
  findOriginalThings,
  type OriginalThings,
} from '../../network/identity/copied-network.ts'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { jsonLine, pluralize, sanitizeForTerminal } from '../terminal.ts'
import { withServices } from '../with-services.ts'

type CopiedOptions = {
  readonly keepTokens?: true
  readonly atSameAddress?: true
  readonly dryRun?: true
  readonly json?: true
}

/** `network copied`: makes a copied database a network of its own, or with `--dry-run` shows what it would touch as it is. */
export function copiedCommand(context: CliContext): Command {
  return new CliCommand('copied')
    .description(
      'this database is a copy, for example for staging: makes it a network of its own that cannot touch the original',
    )
    .option('--keep-tokens', 'let the tokens of the original be valid here too')
    .option(
      '--at-same-address',
      'the database is at an address or server where the original has been: without this option it is taken for the original, and nothing is changed',
    )
    .option(
      '--dry-run',
      'change nothing; show what this database and these settings would touch, and to whom it belongs',
    )
    .option('--json', 'print {identity, revoked_tokens}; with --dry-run {touches}')
    .examples('wp-frames network copied --dry-run', 'wp-frames network copied')
    .action((options: CopiedOptions) =>
      withServices(context, (services) =>
        options.dryRun ? showTouches(services, options) : declare(services, options),
      ),
    )
}

async function declare(services: CliServices, options: CopiedOptions): Promise<void> {
  const { db, globals, copies } = services
  const { identity: before } = await readIdentity(db, globals)
  if (before.isKnownDatabase && !options.atSameAddress)
    throw new CommandError(await describeOriginal(services, before.identity))
  const folder = (await copies?.inspect(before))?.network
  const { identity, revokedTokens } = await declareCopied(db, globals, {
    keepTokens: options.keepTokens ?? false,
    now: new Date(),
  })
  process.stdout.write(
    options.json
      ? jsonLine({ identity, revoked_tokens: revokedTokens })
      : [
          `This database is the network ${identity} now.`,
          `${revokedTokens === 0 ? 'No tokens were revoked' : `${pluralize(revokedTokens, 'token')} of the original ${revokedTokens === 1 ? 'was' : 'were'} revoked`}. Webhooks are disabled. Purges of page caches are off; "wp-frames network purges on" switches them on.`,
          ...(copies && folder === before.identity
            ? [
                `${copies.setting} (${copies.name}) belongs to the original. Set it to another ${copies.setting === 'STATIC_DIR' ? 'folder' : 'prefix or bucket'} before the service starts.`,
              ]
            : []),
          'Change in its settings what leads to the original: STATIC_DIR or STATIC_TARGET, PAGE_CACHE_PURGE, CACHE_PURGE, FEED_DATABASE_URL, OBJECT_CACHE_URL, REDIS_URL, EXECUTOR_URL, LEGACY_URL; and the domains of its sites in WordPress. "wp-frames network copied --dry-run" shows them.',
          '',
        ].join('\n'),
  )
}

/** A command that was meant for a copy is easily run with the settings of the original, whose clients it would lock out. */
async function describeOriginal({ db, globals }: CliServices, identity: string): Promise<string> {
  const { tokens, webhooks } = await findOriginalThings(db, globals, new Date())
  return `This database looks like the original: it is at an address or server where the network ${identity} has been before. Nothing was changed. The command would revoke ${pluralize(tokens, 'valid token')}, disable ${pluralize(webhooks, 'webhook')} and switch purges off. Check DATABASE_URL. If it is a copy that has the address or server of the original, or the service has run on it before, add --at-same-address.`
}

/** Something that a process with these settings would use or change. */
type Touched = {
  /** A setting, or `database`, `hosts`, `tokens`. */
  readonly what: string
  /** An address without user and password, a path, or a number. */
  readonly where: string
  /** What would happen. */
  readonly effect: string
  /** What makes it safe. */
  readonly remedy: string
}

async function showTouches(services: CliServices, { json }: CopiedOptions): Promise<void> {
  const touches = await findTouches(services)
  const text = touches
    .map(({ what, where, effect, remedy }) => `${what}: ${where}\n  ${effect}\n  ${remedy}\n`)
    .join('')
  process.stdout.write(
    json ? jsonLine({ touches }) : sanitizeForTerminal(`${text}Nothing was changed.\n`),
  )
}

async function findTouches(services: CliServices): Promise<readonly Touched[]> {
  const { db, globals, config } = services
  const { identity } = await readIdentity(db, globals)
  const things = await findOriginalThings(db, globals, new Date())
  return [
    {
      what: 'database',
      where: describeAddress(config.databaseUrl ?? ''),
      effect: identity.isKnownDatabase
        ? `It is the network ${identity.identity}, at an address or server where it was before: a process would publish and purge. A copy at the same address cannot be distinguished from the original.`
        : `It is the network ${identity.identity}, and was not here before: no process publishes, purges, sends to webhooks, or passes requests to LEGACY_URL until you say what became of it.`,
      remedy: '"wp-frames network copied" gives it an identity of its own.',
    },
    await describeCopies(services, things, identity),
    describeCaches(services, things, identity.purges),
    {
      what: 'hosts',
      where: formatList(things.hosts),
      effect: 'The front serves the sites under these hosts, and purges name them.',
      remedy:
        'Replace them in WordPress, for example with "wp search-replace", before you switch purges on.',
    },
    {
      what: 'tokens',
      where: pluralize(things.tokens, 'valid token'),
      effect: 'Clients of the original can write to this database, with the same rights.',
      remedy: '"wp-frames network copied" revokes them.',
    },
    {
      what: 'webhooks',
      where: pluralize(things.webhooks, 'enabled webhook'),
      effect: 'What changes here is sent to the receivers of the original.',
      remedy: '"wp-frames network copied" disables them.',
    },
    ...SETTINGS.flatMap(({ name, effect, remedy }) => {
      const where = config.shownSettings[name] ?? 'not set'
      return where === 'not set' ? [] : [{ what: name, where, effect, remedy }]
    }),
  ]
}

async function describeCopies(
  { copies }: CliServices,
  things: OriginalThings,
  identity: NetworkIdentity,
): Promise<Touched> {
  if (!copies)
    return {
      what: 'static copies',
      where: 'none: STATIC_DIR is empty and STATIC_TARGET is not set',
      effect: 'No files are written.',
      remedy: 'Nothing is to be done.',
    }
  const { network: owner } = await copies.inspect(identity)
  const effect =
    owner === undefined
      ? 'It belongs to no network yet. The first process that publishes takes it.'
      : owner === identity.identity
        ? `It belongs to the network of this database: with the original's identity, a process would replace and remove the original's copies (${pluralize(things.copies, 'record')}).`
        : `It belongs to the network ${owner}, and is refused.`
  return {
    what: copies.setting,
    where: copies.name,
    effect,
    remedy:
      owner === undefined
        ? 'Look that no other network uses it.'
        : `Set ${copies.setting} to another ${copies.setting === 'STATIC_DIR' ? 'folder' : 'prefix or bucket'}.`,
  }
}

function describeCaches(
  { config }: CliServices,
  { purges, staleKeys }: OriginalThings,
  areOn: boolean,
): Touched {
  const { PAGE_CACHE_PURGE = 'not set', CACHE_PURGE = 'not set' } = config.shownSettings
  return {
    what: 'page caches',
    where: `PAGE_CACHE_PURGE ${PAGE_CACHE_PURGE}, CACHE_PURGE ${CACHE_PURGE}`,
    effect: `Purges are ${areOn ? 'on' : 'off'}. ${pluralize(purges, 'purge')} by tag and ${pluralize(staleKeys, 'key')} of the object cache wait to be sent.`,
    remedy:
      '"wp-frames network copied" switches purges off and forgets what waits. Set the caches of the copy, or none.',
  }
}

/** Settings that lead to other servers. */
const SETTINGS = [
  {
    name: 'OBJECT_CACHE_URL',
    effect:
      'Keys of what is written here are deleted there. WordPress at the original reads its database again.',
    remedy: 'Set the Redis of the copy, or none.',
  },
  {
    name: 'REDIS_URL',
    effect: 'Requests are counted there, together with those of the original.',
    remedy: 'Set the Redis of the copy, or none.',
  },
  {
    name: 'EXECUTOR_URL',
    effect: 'Writes are built by this executor, which works on its own database.',
    remedy: 'Set the executor of the copy with another EXECUTOR_KEY, or none.',
  },
  {
    name: 'FEED_DATABASE_URL',
    effect: 'The binlog of this server is read.',
    remedy: 'Set the server of the copy, or none.',
  },
  {
    name: 'LEGACY_URL',
    effect: 'Requests that are not served here are passed on, also writes.',
    remedy: 'Set the old endpoint of the copy, or none.',
  },
] as const
