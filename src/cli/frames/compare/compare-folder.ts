import type { Command } from 'commander'
import type { Client, Output } from '#client'
import { findSlug } from '../../../content/frames/slug.ts'
import { type CliContext, CommandError, HAS_CHANGES } from '../../cli-context.ts'
import type { ListOptions } from '../../list-output.ts'
import { findSite } from '../../sites/find-sites.ts'
import {
  type AddressedSite,
  parseFolder,
  type SiteRef,
  siteOption,
} from '../../sites/site-options.ts'
import { atService } from '../../with-service.ts'
import { frameFileName, slugFromFileName } from '../folder/frame-file-name.ts'
import {
  assertFolder,
  type FrameFile,
  matchFiles,
  readFrameFolder,
} from '../folder/frame-folder.ts'
import { type ManifestEntry, readManifestSite } from '../folder/manifest.ts'

/** A frame that a folder and the site do not have in the same form. */
export type FrameDifference = {
  readonly slug: string
  /** The name of its file, also of one that does not exist. */
  readonly file: string
  /** What was done in the folder since it was pulled; empty for nothing. */
  readonly folder: 'edited' | 'renamed' | 'removed' | 'new' | ''
  /** What was done on the site meanwhile. */
  readonly site: 'edited' | 'renamed' | 'deleted' | 'new' | ''
  /** Undefined if the folder does not have it. */
  readonly local: FrameFile | undefined
  /** Undefined if the site does not have it. */
  readonly id: string | undefined
}

type StoredFrame = Output<'listFrames'>['frames'][number]

/**
 * Compares a folder that was pulled with the site, by the manifest of the folder, which has their last common state.
 * @returns in the order of the slugs
 */
async function compareFolder(
  client: Client,
  site: AddressedSite,
  path: string,
): Promise<readonly FrameDifference[]> {
  await assertFolder(path)
  const folder = await readFrameFolder(path, site)
  const { frames } = await client.listFrames({ site_id: site.blogId })
  const byId = new Map(frames.map((frame) => [frame.id, frame]))
  const bySlug = new Map(frames.map((frame) => [frame.slug, frame]))
  const { named, moved, unknown } = matchFiles(folder)
  const known = [...folder.entries.values()].map((entry) =>
    compareEntry(entry, named.get(entry.id), moved.get(entry.id), byId.get(entry.id)),
  )
  const added = unknown.map((file) => compareUnknown(file, bySlug))
  const seen = new Set([...folder.entries.keys(), ...added.map(({ id }) => id)])
  const others = frames
    .filter(({ id }) => !seen.has(id))
    .map(({ id, slug }): FrameDifference => {
      const file = frameFileName({ id, slug })
      return { slug, file, folder: '', site: 'new', local: undefined, id }
    })
  return [...known, ...added, ...others]
    .filter((one) => one.folder !== '' || one.site !== '')
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

/** Both sides of a frame that was pulled. The same change on both sides is none. */
function compareEntry(
  entry: ManifestEntry,
  named: FrameFile | undefined,
  moved: FrameFile | undefined,
  stored: StoredFrame | undefined,
): FrameDifference {
  const local = named ?? moved
  const slug = (moved && findSlug(slugFromFileName(moved.name))) ?? stored?.slug ?? entry.slug
  const isEqual = local?.sha256 === stored?.sha256
  const one = { slug, file: local?.name ?? entry.file, local, id: stored?.id }
  const isRenamed = moved !== undefined && slug !== stored?.slug
  const isEdited = !isEqual && local?.sha256 !== entry.sha256
  return {
    ...one,
    folder: local ? (isEdited ? 'edited' : isRenamed ? 'renamed' : '') : stored ? 'removed' : '',
    site: siteChange(entry, local, stored),
  }
}

function siteChange(
  entry: ManifestEntry,
  local: FrameFile | undefined,
  stored: StoredFrame | undefined,
): FrameDifference['site'] {
  if (!stored) return local ? 'deleted' : ''
  if (stored.sha256 !== entry.sha256 && stored.sha256 !== local?.sha256) return 'edited'
  return stored.slug === entry.slug ? '' : 'renamed'
}

/** A file that was not pulled, with the frame that has its slug. */
function compareUnknown(
  file: FrameFile,
  bySlug: ReadonlyMap<string, StoredFrame>,
): FrameDifference {
  const slug = findSlug(slugFromFileName(file.name)) ?? file.name
  const stored = bySlug.get(slug)
  const isEqual = stored?.sha256 === file.sha256
  return {
    slug,
    file: file.name,
    folder: isEqual ? '' : 'new',
    site: stored && !isEqual ? 'new' : '',
    local: file,
    id: stored?.id,
  }
}

export type CompareOptions = ListOptions & { readonly site?: SiteRef; readonly exitCode?: true }

type Comparison = {
  readonly client: Client
  readonly site: AddressedSite
  readonly differences: readonly FrameDifference[]
}

/** Adds what a command needs that compares a folder with its site, and runs its work on the differences. */
export function atFolder(
  context: CliContext,
  command: Command,
  work: (comparison: Comparison, path: string, options: CompareOptions) => Promise<void>,
): Command {
  command
    .argument('<folder>', 'the folder that was pulled', parseFolder)
    .addOption(siteOption('one site [the one that the folder was pulled from]'))
    .option('--exit-code', `exit with ${HAS_CHANGES} if the folder and the site differ`)
  return atService(context, command, async ({ client }, path: string, options: CompareOptions) => {
    await assertFolder(path)
    const site = await findSite(client, options.site ?? (await readManifestSite(path)))
    const differences = await compareFolder(client, site, path)
    await work({ client, site, differences }, path, options)
    if (options.exitCode && differences.length > 0)
      throw new CommandError('The folder and the site differ.', HAS_CHANGES)
  })
}
