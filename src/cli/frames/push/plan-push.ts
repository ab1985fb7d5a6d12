import type { Db } from '../../../db/database.ts'
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
import { describeLastChange, findStoredFrame, type StoredFrame } from '../site-frames.ts'

/** One write to the site; `file` is the name of the frame's file. */
export type PushStep =
  | { readonly action: 'create'; readonly slug: string; readonly file: string }
  | {
      readonly action: 'update' | 'rename' | 'delete'
      readonly slug: string
      readonly file: string
      readonly id: string
    }

/** Why a frame can't be sent: the site has something that was not pulled, or a file is no frame. */
export type PushProblem = {
  readonly slug: string
  readonly file: string
  readonly kind: 'conflict' | 'invalid'
  readonly message: string
}

/** What comes of comparing one frame's file, what was pulled and what the site holds. */
type Decision =
  | { readonly step: PushStep }
  | { readonly problem: PushProblem }
  /** Its file is gone, it stays. */
  | { readonly kept: ManifestEntry }
  /** Both sides have come to the same: only to be written down. */
  | { readonly agreed: ManifestEntry }
  /** The id of a frame that is gone on both sides. */
  | { readonly gone: string }

export type PushPlan = {
  readonly steps: readonly PushStep[]
  readonly problems: readonly PushProblem[]
  readonly kept: readonly ManifestEntry[]
  readonly agreed: readonly ManifestEntry[]
  readonly gone: readonly string[]
}

export type PushOptions = {
  /** What the site has and was not pulled is overwritten. */
  readonly force: boolean
  /** Frames whose files are gone are deleted. */
  readonly delete: boolean
}

type PushContext = {
  readonly db: Db
  readonly site: Site
  readonly folder: FrameFolder
  /** Frames of the site by id and by slug. */
  readonly byId: ReadonlyMap<string, FrameName>
  readonly bySlug: ReadonlyMap<string, FrameName>
  readonly options: PushOptions
}

/** What a push has to do, in no order. Nothing is written. */
export async function planPush(
  db: Db,
  site: Site,
  folder: FrameFolder,
  names: readonly FrameName[],
  options: PushOptions,
): Promise<PushPlan> {
  const situation: PushContext = {
    db,
    site,
    folder,
    byId: new Map(names.map((name) => [name.id, name])),
    bySlug: new Map(names.map((name) => [name.slug, name])),
    options,
  }
  const { inPlace: held, moved, missing, unknown: fresh } = matchFiles(folder)
  const verdicts: Decision[] = []
  for (const entry of folder.entries.values()) {
    const [file, movedTo] = [held.get(entry.id), moved.get(entry.id)]
    if (file && file.sha256 !== entry.sha256)
      verdicts.push(await planEdited(situation, entry, file))
    if (movedTo) verdicts.push(await planMoved(situation, entry, movedTo))
  }
  for (const entry of missing) verdicts.push(await planMissing(situation, entry))
  for (const file of fresh) verdicts.push(await planNew(situation, file))
  const all = [...verdicts, ...findDuplicateSlugs([...moved.values(), ...fresh])]
  return {
    steps: all.flatMap((verdict) => ('step' in verdict ? verdict.step : [])),
    problems: all.flatMap((verdict) => ('problem' in verdict ? verdict.problem : [])),
    kept: all.flatMap((verdict) => ('kept' in verdict ? verdict.kept : [])),
    agreed: all.flatMap((verdict) => ('agreed' in verdict ? verdict.agreed : [])),
    gone: all.flatMap((verdict) => ('gone' in verdict ? verdict.gone : [])),
  }
}

async function planEdited(
  situation: PushContext,
  entry: ManifestEntry,
  file: FrameFile,
): Promise<Decision> {
  const { id, slug, sha256 } = entry
  const stored = await findStored(situation, id)
  if (stored === 'gone') return planDeletedOnSite(situation, slug, file)
  if (stored?.sha256 === file.sha256) return { agreed: { ...entry, sha256: file.sha256 } }
  if (stored?.sha256 !== sha256 && !situation.options.force)
    return changedOnSite(slug, file.name, stored)
  return stepIfUtf8({ action: 'update', id, slug, file: file.name }, file)
}

async function planMoved(
  situation: PushContext,
  entry: ManifestEntry,
  file: FrameFile,
): Promise<Decision> {
  const { force } = situation.options
  const slug = slugOfFrameFile(file)
  if (slug === undefined) return invalidFileName(file)
  const stored = await findStored(situation, entry.id)
  if (stored === 'gone') return planDeletedOnSite(situation, slug, file)
  const name = situation.byId.get(entry.id)?.slug
  if (name === slug) return { agreed: { ...entry, slug, file: file.name } }
  if (stored?.sha256 !== entry.sha256 && !force) return changedOnSite(slug, file.name, stored)
  if (name !== entry.slug && !force)
    return conflict(slug, file.name, `"${entry.slug}" is named "${name}" on the site now`)
  return stepIfUtf8({ action: 'rename', id: entry.id, slug, file: file.name }, file)
}

async function planMissing(situation: PushContext, entry: ManifestEntry): Promise<Decision> {
  const { id, slug, file, sha256 } = entry
  const stored = await findStored(situation, id)
  if (stored === 'gone') return { gone: id }
  if (!situation.options.delete) return { kept: entry }
  if (stored?.sha256 !== sha256 && !situation.options.force)
    return changedOnSite(slug, file, stored)
  return { step: { action: 'delete', id, slug, file } }
}

async function planNew(situation: PushContext, file: FrameFile): Promise<Decision> {
  const { folder, bySlug, options } = situation
  const slug = slugOfFrameFile(file)
  if (slug === undefined) return invalidFileName(file)
  const holder = bySlug.get(slug)
  if (!holder) return stepIfUtf8({ action: 'create', slug, file: file.name }, file)
  const entry = folder.entries.get(holder.id)
  if (entry) {
    return invalid(
      slug,
      file.name,
      `the frame "${slug}" of the site is in ${entry.file}: pull first`,
    )
  }
  const stored = await findStored(situation, holder.id)
  if (stored === 'gone' || stored?.sha256 === file.sha256) {
    return { agreed: { ...holder, sha256: file.sha256, file: file.name } }
  }
  if (!options.force)
    return conflict(slug, file.name, 'there is a frame of this slug on the site, never pulled')
  return stepIfUtf8({ action: 'update', id: holder.id, slug, file: file.name }, file)
}

/** A frame that somebody deleted on the site, and whose file says something. */
function planDeletedOnSite({ options }: PushContext, slug: string, file: FrameFile): Decision {
  if (!options.force) return conflict(slug, file.name, 'it was deleted on the site since the pull')
  return stepIfUtf8({ action: 'create', slug, file: file.name }, file)
}

/** Files whose names say the same slug: on some file systems there can be `Header.html` beside `header.html`. */
function findDuplicateSlugs(files: readonly FrameFile[]): Decision[] {
  const first = new Map<string, FrameFile>()
  return files.flatMap((file) => {
    const slug = slugOfFrameFile(file)
    const twin = slug === undefined ? undefined : first.get(slug)
    if (slug !== undefined && twin === undefined) first.set(slug, file)
    return slug !== undefined && twin
      ? invalid(slug, file.name, `${twin.name} is the file of that slug too`)
      : []
  })
}

/** Undefined for a damaged record. */
async function findStored(
  { db, site, byId }: PushContext,
  id: string,
): Promise<StoredFrame | undefined | 'gone'> {
  const name = byId.get(id)
  return name ? findStoredFrame(db, site, name) : 'gone'
}

const slugOfFrameFile = ({ name }: FrameFile): string | undefined =>
  findSlug(slugFromFileName(name))

function stepIfUtf8(step: PushStep, file: FrameFile): Decision {
  if (decodeMarkup(file) !== undefined) return { step }
  return invalid(step.slug, file.name, 'the file is not UTF-8')
}

function changedOnSite(slug: string, file: string, stored: StoredFrame | undefined): Decision {
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
  invalid('', name, `the name of the file is no slug, which is ${SLUG_PATTERN}`)
