import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type MovedCopies, moveCopies } from '../../build/executor/move-copies.ts'
import type { CopyStore } from '../../build/publishing/copy-store.ts'
import { countOldCopies, deleteOldCopies } from '../../build/publishing/delete-old-copies.ts'
import { NetworkIdentities } from '../../build/publishing/network-identity.ts'
import { loadStore, openCopyStore } from '../../build/publishing/open-copy-store.ts'
import type { Config } from '../../host/config/config.ts'
import { nameOf, parseStoreAddress, type StoreAddress } from '../../host/config/store-address.ts'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, type CliServices, CommandError, INTERRUPTED } from '../cli-context.ts'
import { withInterruptSignal } from '../signals.ts'
import { TerminalBar } from '../sites/progress-bar.ts'
import { confirmOnTerminal, jsonLine, pluralize, sanitizeForTerminal } from '../terminal.ts'
import { withServices } from '../with-services.ts'

/** `copies move|delete`: the static copies of the network in another target. */
export function copiesCommand(context: CliContext): Command {
  return new CliCommand('copies')
    .addCommand(moveCommand(context))
    .addCommand(deleteCommand(context))
}

type ChosenTarget = { readonly json?: true; readonly to: NamedTarget }

function moveCommand(context: CliContext): Command {
  return new CliCommand('move')
    .description(
      'copy all static copies to another folder or store while the service runs, and compare each with its record; run it again to continue',
    )
    .requiredOption(
      '--to <target>',
      'a folder, or a store as in STATIC_TARGET, whose keys are those of the settings',
      parseNamedTarget,
    )
    .option('--json', 'print {copies, copied, removed, waiting, changing}')
    .examples(
      "wp-frames copies move --to 's3://pages-of-example/live?region=eu-central-1'",
      'wp-frames copies move --to /srv/static',
    )
    .action(({ to: named, json }: ChosenTarget) =>
      withServices(context, async (services) => {
        const { cacheTags } = services.config
        const moved = await withOtherTarget(services, named, ({ present: from, other: to }) =>
          withInterruptSignal((signal) =>
            withBar((onProgress) =>
              moveCopies({ ...services, from, to, signal, onProgress, cacheTags }),
            ),
          ),
        )
        const { copies, copied, removed, waiting, isChanging: changing } = moved
        process.stdout.write(
          json
            ? jsonLine({ copies, copied, removed, waiting, changing })
            : sanitizeForTerminal(formatMoved(moved, named)),
        )
        if (moved.isAborted)
          throw new CommandError('Stopped. Run it again to continue.', INTERRUPTED)
        if (waiting > 0)
          throw new CommandError(
            `${pluralize(waiting, 'page')} ${waiting === 1 ? 'has' : 'have'} no copy that could be moved: it is missing or damaged, or not written yet. A running service publishes ${waiting === 1 ? 'it' : 'them'} again; "wp-frames work" shows what fails. Run this command again then.`,
          )
      }),
    )
}

function formatMoved(
  { copies, copied, removed, isChanging, ...moved }: MovedCopies,
  named: NamedTarget,
): string {
  const name = describeTarget(named)
  const setting = 'folder' in named ? 'STATIC_DIR' : 'STATIC_TARGET'
  const lines = [
    `${pluralize(copied, 'copy', 'copies')} ${copied === 1 ? 'was' : 'were'} copied. ${name} has ${pluralize(copies, 'copy', 'copies')} as recorded.`,
    ...(removed > 0
      ? [
          `${pluralize(removed, 'copy', 'copies')} without a record ${removed === 1 ? 'was' : 'were'} removed there.`,
        ]
      : []),
    ...(isChanging ? ['Pages were published during the last pass, too.'] : []),
  ]
  if (moved.isAborted || moved.waiting > 0) return `${lines.join('\n')}\n`
  return [
    ...lines,
    `Set ${setting} to it for all processes and restart them. What is published until then is published there by the processes afterwards.`,
    'When the last one is restarted, run "wp-frames doctor --fix".',
    '',
  ].join('\n')
}

type FormerTarget = {
  readonly json?: true
  readonly dryRun?: true
  readonly yes?: true
  readonly at: NamedTarget
}

function deleteCommand(context: CliContext): Command {
  return new CliCommand('delete')
    .description(
      'delete the static copies of the network in a target that no process uses any more, after those in the present one were compared with their records',
    )
    .requiredOption('--at <target>', 'a folder, or a store as in STATIC_TARGET', parseNamedTarget)
    .option('--dry-run', 'delete nothing; say how many copies would be deleted')
    .option('--yes', 'do not ask on a terminal')
    .option('--json', 'print {deleted}; with --dry-run {would_delete}')
    .examples(
      'wp-frames copies delete --at /srv/static --dry-run',
      'wp-frames copies delete --at /srv/static',
      "wp-frames copies delete --at 's3://pages-of-example/live?region=eu-central-1'",
    )
    .action(({ at, json, dryRun, yes }: FormerTarget) =>
      withServices(context, async (services) => {
        await withOtherTarget(services, at, ({ present, other: old }) =>
          withInterruptSignal(async (signal) => {
            const options = { ...services, present, old, signal }
            if (dryRun) {
              const count = await countOldCopies(options)
              const text = `${pluralize(count, 'copy', 'copies')} of this network would be deleted in ${describeTarget(at)}. Nothing was changed.\n`
              process.stdout.write(
                json ? jsonLine({ would_delete: count }) : sanitizeForTerminal(text),
              )
              return
            }
            await confirmOnTerminal(
              `Delete all static copies of this network in ${sanitizeForTerminal(describeTarget(at))}? Those in ${sanitizeForTerminal(present.name)} stay.`,
              yes,
            )
            const { deleted, isComplete } = await deleteOldCopies(options)
            const done = `${pluralize(deleted, 'copy', 'copies')} ${deleted === 1 ? 'was' : 'were'} deleted in ${describeTarget(at)}${isComplete ? ', and the marker' : ''}. What wp-frames has not written stays.\n`
            process.stdout.write(json ? jsonLine({ deleted }) : sanitizeForTerminal(done))
            if (!isComplete)
              throw new CommandError('Stopped. Run it again to continue.', INTERRUPTED)
          }),
        )
      }),
    )
}

/** Shows the progress on standard error. */
async function withBar<T>(
  work: (onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const bar = new TerminalBar()
  try {
    return await work((done, total) => bar.start(total, done, 'copies'))
  } finally {
    bar.stop()
  }
}

/** A folder, or the address of a store. */
type NamedTarget = { readonly folder: string } | { readonly store: StoreAddress }

/**
 * Parses what names a target of static copies: the path of a folder, or what STATIC_TARGET takes.
 * @throws InvalidArgumentError
 */
function parseNamedTarget(text: string): NamedTarget {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    if (text === '')
      throw new InvalidArgumentError('Name a folder, or a store as in STATIC_TARGET.')
    return { folder: resolve(text) }
  }
  const store = parseStoreAddress(text)
  if (typeof store === 'string') throw new InvalidArgumentError(`It ${store}.`)
  return { store }
}

/** The present target of the settings, and another one. */
type Targets = { readonly present: CopyStore; readonly other: CopyStore }

/**
 * Opens another target than that of the settings, for some work. The keys of a store are those of the settings.
 * @throws CommandError if there is no present target, or one contains the other
 */
async function withOtherTarget<T>(
  services: CliServices,
  named: NamedTarget,
  work: (targets: Targets) => Promise<T>,
): Promise<T> {
  const { config, copies: present } = services
  if (present === undefined)
    throw new CommandError(
      'There are no static copies: STATIC_DIR is empty and STATIC_TARGET is not set. Set the one that the processes of the service have.',
    )
  await assertApart(config, named, present)
  const identities = new NetworkIdentities(services.db, services.globals)
  const options = { ...services, identities }
  const other = openCopyStore(
    'folder' in named
      ? { ...options, staticDir: named.folder }
      : {
          ...options,
          staticDir: undefined,
          openStore: await loadStore({
            address: named.store,
            credentials: config.storeCredentials,
          }),
        },
  )
  if (other === undefined) throw new Error('no target was opened')
  try {
    return await work({ present, other })
  } finally {
    await other.close()
  }
}

/** What is in the outer one would be in the inner one too, so that copies of one would be taken for orphans of the other. */
async function assertApart(
  { staticDir, staticStore }: Config,
  named: NamedTarget,
  present: CopyStore,
): Promise<void> {
  const own = staticStore ? extentOf({ store: staticStore.address }) : undefined
  const extents = await Promise.all([
    own ?? extentOf({ folder: resolve(staticDir ?? '') }),
    extentOf(named),
  ])
  const [first, second] = extents
  if (first === second)
    throw new CommandError(
      `"${describeTarget(named)}" is the present target of the static copies (${present.setting}). Name another one.`,
    )
  if (!first.startsWith(second) && !second.startsWith(first)) return
  throw new CommandError(
    `"${describeTarget(named)}" and the present target "${present.name}" (${present.setting}) are one within the other. Name one that is apart from it.`,
  )
}

/** The real path of a folder, or the address of the objects, with a slash at the end. */
async function extentOf(named: NamedTarget): Promise<string> {
  if ('store' in named) return `${named.store.endpoint}/${named.store.bucket}/${named.store.prefix}`
  const path = await realpath(named.folder).catch(() => named.folder)
  return path.endsWith('/') ? path : `${path}/`
}

const describeTarget = (named: NamedTarget): string =>
  'folder' in named ? named.folder : nameOf(named.store)
