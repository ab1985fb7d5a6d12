import { join } from 'node:path'
import type { Command } from 'commander'
import type { Client } from '#client'
import { INLINE_ANALYZER } from '../../content/frames/frame-markup.ts'
import { sha256Hex } from '../../host/hash.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import { writeFileAtomically } from '../atomic-write.ts'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { addApplyOptions } from '../network/apply-plan.ts'
import { describeSites, type PlanAndApplyOptions, planAndApply } from '../network/plan-and-apply.ts'
import { allowProblemsOption, PROBLEMS_ADVICE, strictOption } from '../network/problem-options.ts'
import { atRuns, type RunSession } from '../network/run-client.ts'
import { findSites, readAllSites } from '../sites/find-sites.ts'
import {
  type AddressedSite,
  addNetworkChoice,
  isIncluded,
  parseFolder,
  type SiteOptions,
  type SiteRef,
  siteFolder,
  siteOption,
} from '../sites/site-options.ts'
import { pluralize, sanitizeForTerminal, warn } from '../terminal.ts'
import { assertFolder, isFolder } from './folder/frame-folder.ts'
import { readManifestSite, upsertEntry, writeManifest } from './folder/manifest.ts'
import {
  type DescribedFolder,
  describeFolder,
  type FolderChanges,
  readFolderChanges,
  readStoredFrames,
} from './push/folder-changes.ts'

type PushCommandOptions = PlanAndApplyOptions &
  Pick<SiteOptions, 'site' | 'network' | 'include'> & {
    readonly force?: true
    readonly delete?: true
    readonly bake: boolean
  }

/** `frames push <folder>`: brings a site to the changes in a folder, as a run that can be rolled back. */
export function pushFramesCommand(context: CliContext): Command {
  const command = new CliCommand('push')
    .argument('<folder>', 'the folder that was pulled', parseFolder)
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .option('--force', 'overwrite frames that changed on the site since the pull')
    .option('--delete', 'delete the frames whose files were removed')
    .option('--no-bake', 'skip the bake; run "frames bake" later')
    .addOption(allowProblemsOption())
    .addOption(strictOption())
    .examples(
      'wp-frames frames push shop --dry-run',
      'wp-frames frames push shop --delete --user alice',
      'wp-frames frames push all --network --yes',
    )
    .addOption(
      siteOption('one site [the one that the folder was pulled from]').conflicts('network'),
    )
  addApplyOptions(addNetworkChoice(command))
  return atRuns(context, command, async (session, folder: string, given: PushCommandOptions) => {
    const isSiteKnown = given.site !== undefined || given.network
    const options = isSiteKnown ? given : { ...given, site: await siteOfFolder(folder) }
    const { pushed, broken } = await readFolders(session, folder, options)
    if (options.network) await reportLeftOut(session, folder, options)
    if (pushed.length > 0) await push(session, pushed, options)
    if (broken.length > 0)
      throw new CommandError(`${broken.join('\n')}\n${pluralize(broken.length, 'site')} left out.`)
  })
}

/** A site, with what was done to its folder. */
type PushedSite = {
  readonly site: AddressedSite
  readonly changes: FolderChanges
  readonly frames: DescribedFolder['frames']
}

/**
 * Reads the folders of the sites.
 * @throws CommandError for a folder that cannot be sent; with `--network`, `broken` says why, and the other sites are pushed
 */
async function readFolders(
  { service }: RunSession,
  folder: string,
  options: PushCommandOptions,
): Promise<{ readonly pushed: readonly PushedSite[]; readonly broken: readonly string[] }> {
  const { force = false, delete: isDeleting = false, network } = options
  const pushed: PushedSite[] = []
  const broken: string[] = []
  for (const site of await findSites(service.client, options)) {
    const path = siteFolder(folder, site, options)
    if (network && !(await isFolder(path))) continue
    await assertFolder(path)
    try {
      const changes = await readFolderChanges(path, site, INLINE_ANALYZER)
      const { frames, problems } = describeFolder(changes, { force, delete: isDeleting })
      const lines = problems.map(({ file, message }) => `${path}/${file}: ${message}`)
      if (lines.length > 0) throw new CommandError(sanitizeForTerminal(lines.join('\n')))
      pushed.push({ site, changes, frames })
    } catch (error) {
      if (!network || !(error instanceof CommandError)) throw error
      broken.push(`${siteAddress(site)} (site ${site.blogId}): ${error.message}`)
    }
  }
  return { pushed, broken }
}

async function push(
  session: RunSession,
  pushed: readonly PushedSite[],
  options: PushCommandOptions,
): Promise<void> {
  const { service } = session
  for (const { site, changes } of options.delete ? [] : pushed)
    warn(await findKept(session, site, changes))
  const wanted = pushed.map(({ site, frames }) => ({ site, bundle: { frames: [...frames] } }))
  const onReached = async (siteIds: ReadonlySet<number>): Promise<void> => {
    for (const { site, changes } of pushed)
      if (siteIds.has(site.blogId)) await updateFolder(service.client, site, changes)
  }
  const description = describeSites('push', 'Push of frames', wanted)
  await planAndApply(session, { description, advice: ADVICE, onReached }, options)
}

/** Says which sites have a folder, but are not live and were not asked for. */
async function reportLeftOut(
  { service }: RunSession,
  folder: string,
  options: PushCommandOptions,
): Promise<void> {
  for (const { site_id, address, state } of await readAllSites(service.client)) {
    if (isIncluded(state, options) || state === 'deleted') continue
    if (await isFolder(siteFolder(folder, { blogId: site_id }, options)))
      warn([
        `${address} (site ${site_id}) is left out, because it is in the state "${state}": add --include ${state}.`,
      ])
  }
}

async function siteOfFolder(folder: string): Promise<SiteRef> {
  await assertFolder(folder)
  return readManifestSite(folder)
}

/** The frames that `--delete` would delete. */
async function findKept(
  { service }: RunSession,
  site: AddressedSite,
  { removed }: FolderChanges,
): Promise<string[]> {
  if (removed.length === 0) return []
  const stored = await readStoredFrames(service.client, site)
  const kept = removed.filter(({ id }) => stored.has(id))
  const slugs = kept.map(({ slug }) => slug).join(', ')
  return kept.length > 0
    ? [
        `${siteAddress(site)}: ${pluralize(kept.length, 'frame')} without a file kept (use --delete): ${slugs}`,
      ]
    : []
}

/** What to do about problems, by their reason. */
const ADVICE = {
  conflict: 'Pull to get the changes of the site, or overwrite them with push --force.',
  slug_taken: 'Pull to get the names of the site.',
  other: PROBLEMS_ADVICE,
}

/**
 * Updates a folder whose changes the site has now: the manifest, and references to renamed frames. The next push does it if this one is
 * interrupted before, because the site then has the changes already.
 */
async function updateFolder(
  client: Client,
  site: AddressedSite,
  changes: FolderChanges,
): Promise<void> {
  const { path, changed, removed, rewritten } = changes
  if (changed.length + removed.length === 0) return
  const byId = await readStoredFrames(client, site)
  const bySlug = new Map([...byId.values()].map((frame) => [frame.slug, frame]))
  const entries = new Map(changes.entries)
  for (const { id } of removed) if (!byId.has(id)) entries.delete(id)
  for (const { name, slug, html = '', entry, isMoved } of changed) {
    const frame = byId.get(entry?.id ?? '') ?? bySlug.get(slug ?? '')
    if (!frame) continue
    if (entry) entries.delete(entry.id)
    // A frame that was renamed on the site keeps its file until the next pull.
    const known = entry?.id === frame.id && !isMoved ? entry.slug : frame.slug
    upsertEntry(entries, { id: frame.id, slug: known, sha256: sha256Hex(html), file: name })
  }
  const digests = new Map(rewritten.map(({ name, sha256 }) => [name, sha256]))
  for (const [id, entry] of entries) {
    const stored = byId.get(id)?.sha256
    // An embedder that was changed on the site since the pull differs.
    if (stored !== undefined && digests.get(entry.file) === stored)
      entries.set(id, { ...entry, sha256: stored })
  }
  for (const { name, bytes } of rewritten) await writeFileAtomically(join(path, name), bytes)
  await writeManifest(path, site, entries.values())
}
