import type { Db } from '../../../db/database.ts'
import type { Frame } from '../../../frames/record.ts'
import type { FrameName } from '../../../frames/registry.ts'
import { findSlug, SLUG_PATTERN } from '../../../frames/slug.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { slugFromFileName } from '../folder/frame-file-name.ts'
import {
  decodeMarkup,
  type FrameFile,
  type FrameFolder,
  matchFiles,
} from '../folder/frame-folder.ts'
import type { ManifestEntry } from '../folder/manifest.ts'
import { describeLastChange, findReadableFrame } from '../site-frames.ts'

/** One write to the site; `file` is the name of the frame's file. */
export type PushStep =
  | { readonly action: 'create'; readonly slug: string; readonly file: string }
  | {
      readonly action: 'update' | 'rename' | 'delete'
      readonly slug: string
      readonly file: string
      readonly id: string
    }

/** Why a frame cannot be sent: it changed on the site since the pull, or its file is invalid. */
export type PushProblem = {
  readonly slug: string
  readonly file: string
  readonly kind: 'conflict' | 'invalid'
  readonly message: string
}

/** The result of comparing the file of a frame, the manifest and the site. */
type Decision =
  | { readonly step: PushStep }
  | { readonly problem: PushProblem }
  /** Its file was removed, but the frame stays. */
  | { readonly kept: ManifestEntry }
  /** File and site have the same contents, so only the manifest changes. */
  | { readonly agreed: ManifestEntry }
  /** The id of a frame that was deleted on both sides. */
  | { readonly gone: string }

export type PushPlan = {
  readonly steps: readonly PushStep[]
  readonly problems: readonly PushProblem[]
  readonly kept: readonly ManifestEntry[]
  readonly agreed: readonly ManifestEntry[]
  readonly gone: readonly string[]
}

export type PushOptions = {
  /** Overwrites frames that changed on the site since the pull. */
  readonly force: boolean
  /** Deletes frames whose files were removed. */
  readonly delete: boolean
}

type PushContext = {
  readonly db: Db
  readonly site: Site
  readonly folder: FrameFolder
  /** Frames of the site. */
  readonly byId: ReadonlyMap<string, FrameName>
  readonly bySlug: ReadonlyMap<string, FrameName>
  readonly options: PushOptions
}

/** Plans the steps of a push, in no particular order. Writes nothing. */
export async function planPush(
  db: Db,
  site: Site,
  folder: FrameFolder,
  names: readonly FrameName[],
  options: PushOptions,
): Promise<PushPlan> {
  const context: PushContext = {
    db,
    site,
    folder,
    byId: new Map(names.map((name) => [name.id, name])),
    bySlug: new Map(names.map((name) => [name.slug, name])),
    options,
  }
  const { named, moved, missing, unknown } = matchFiles(folder)
  const decisions: Decision[] = []
  for (const entry of folder.entries.values()) {
    const [file, movedTo] = [named.get(entry.id), moved.get(entry.id)]
    if (file && file.sha256 !== entry.sha256) decisions.push(await planEdited(context, entry, file))
    if (movedTo) decisions.push(await planMoved(context, entry, movedTo))
  }
  for (const entry of missing) decisions.push(await planMissing(context, entry))
  for (const file of unknown) decisions.push(await planNew(context, file))
  const all = [...decisions, ...findDuplicateSlugs([...moved.values(), ...unknown])]
  return {
    steps: all.flatMap((decision) => ('step' in decision ? decision.step : [])),
    problems: all.flatMap((decision) => ('problem' in decision ? decision.problem : [])),
    kept: all.flatMap((decision) => ('kept' in decision ? decision.kept : [])),
    agreed: all.flatMap((decision) => ('agreed' in decision ? decision.agreed : [])),
    gone: all.flatMap((decision) => ('gone' in decision ? decision.gone : [])),
  }
}

async function planEdited(
  context: PushContext,
  entry: ManifestEntry,
  file: FrameFile,
): Promise<Decision> {
  const { id, slug, sha256 } = entry
  const stored = await findStored(context, id)
  if (stored === 'deleted') return planDeletedOnSite(context, slug, file)
  if (stored?.meta.sha256 === file.sha256) return { agreed: { ...entry, sha256: file.sha256 } }
  if (stored?.meta.sha256 !== sha256 && !context.options.force)
    return changedOnSite(slug, file.name, stored)
  return stepIfUtf8({ action: 'update', id, slug, file: file.name }, file)
}

async function planMoved(
  context: PushContext,
  entry: ManifestEntry,
  file: FrameFile,
): Promise<Decision> {
  const { force } = context.options
  const slug = slugOfFrameFile(file)
  if (slug === undefined) return invalidFileName(file)
  const stored = await findStored(context, entry.id)
  if (stored === 'deleted') return planDeletedOnSite(context, slug, file)
  const name = context.byId.get(entry.id)?.slug
  if (name === slug) return { agreed: { ...entry, slug, file: file.name } }
  if (stored?.meta.sha256 !== entry.sha256 && !force) return changedOnSite(slug, file.name, stored)
  if (name !== entry.slug && !force)
    return conflict(slug, file.name, `"${entry.slug}" was renamed to "${name}" on the site`)
  return stepIfUtf8({ action: 'rename', id: entry.id, slug, file: file.name }, file)
}

async function planMissing(context: PushContext, entry: ManifestEntry): Promise<Decision> {
  const { id, slug, file, sha256 } = entry
  const stored = await findStored(context, id)
  if (stored === 'deleted') return { gone: id }
  if (!context.options.delete) return { kept: entry }
  if (stored?.meta.sha256 !== sha256 && !context.options.force)
    return changedOnSite(slug, file, stored)
  return { step: { action: 'delete', id, slug, file } }
}

async function planNew(context: PushContext, file: FrameFile): Promise<Decision> {
  const { folder, bySlug, options } = context
  const slug = slugOfFrameFile(file)
  if (slug === undefined) return invalidFileName(file)
  const holder = bySlug.get(slug)
  if (!holder) return stepIfUtf8({ action: 'create', slug, file: file.name }, file)
  const entry = folder.entries.get(holder.id)
  if (entry) {
    return invalid(
      slug,
      file.name,
      `the frame "${slug}" of the site is in ${entry.file}; pull first`,
    )
  }
  const stored = await findStored(context, holder.id)
  if (stored === 'deleted' || stored?.meta.sha256 === file.sha256) {
    return { agreed: { ...holder, sha256: file.sha256, file: file.name } }
  }
  if (!options.force)
    return conflict(slug, file.name, 'the site has a frame with this slug that was never pulled')
  return stepIfUtf8({ action: 'update', id: holder.id, slug, file: file.name }, file)
}

/** A frame that was deleted on the site although its file still exists. */
function planDeletedOnSite({ options }: PushContext, slug: string, file: FrameFile): Decision {
  if (!options.force) return conflict(slug, file.name, 'it was deleted on the site since the pull')
  return stepIfUtf8({ action: 'create', slug, file: file.name }, file)
}

/** Finds files with the same slug: on case-sensitive file systems, `Header.html` and `header.html` can both exist. */
function findDuplicateSlugs(files: readonly FrameFile[]): Decision[] {
  const first = new Map<string, FrameFile>()
  return files.flatMap((file) => {
    const slug = slugOfFrameFile(file)
    const duplicate = slug === undefined ? undefined : first.get(slug)
    if (slug !== undefined && duplicate === undefined) first.set(slug, file)
    return slug !== undefined && duplicate
      ? invalid(slug, file.name, `${duplicate.name} has the same slug`)
      : []
  })
}

/** Reads a frame of the site; undefined if its record is damaged. */
async function findStored(
  { db, site, byId }: PushContext,
  id: string,
): Promise<Frame | undefined | 'deleted'> {
  const name = byId.get(id)
  return name ? findReadableFrame(db, site, name) : 'deleted'
}

const slugOfFrameFile = ({ name }: FrameFile): string | undefined =>
  findSlug(slugFromFileName(name))

function stepIfUtf8(step: PushStep, file: FrameFile): Decision {
  if (decodeMarkup(file) !== undefined) return { step }
  return invalid(step.slug, file.name, 'the file is not valid UTF-8')
}

function changedOnSite(slug: string, file: string, stored: Frame | undefined): Decision {
  return conflict(
    slug,
    file,
    `it was changed on the site since the pull, ${describeLastChange(stored)}`,
  )
}

const conflict = (slug: string, file: string, message: string): Decision => ({
  problem: { slug, file, kind: 'conflict', message },
})

const invalid = (slug: string, file: string, message: string): Decision => ({
  problem: { slug, file, kind: 'invalid', message },
})

const invalidFileName = ({ name }: FrameFile): Decision =>
  invalid('', name, `the name of the file is not a valid slug (${SLUG_PATTERN})`)
