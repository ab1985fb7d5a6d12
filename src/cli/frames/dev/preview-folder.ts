import type { Tx } from '../../../db/transaction.ts'
import type { Bundle } from '../../../description/description.ts'
import type { DesiredFrame } from '../../../description/desired-site.ts'
import type { UnresolvedBind } from '../../../effects.ts'
import { lockFrames } from '../../../frames/lock-frames.ts'
import { findSlug } from '../../../frames/slug.ts'
import { createPlanContext } from '../../../plan/plan-context.ts'
import { planFrames } from '../../../plan/plan-frames.ts'
import { findPlanProblems } from '../../../plan/plan-problems.ts'
import { presentProblem } from '../../../plan/plan-site.ts'
import { writePlannedFrames } from '../../../plan/write-frames.ts'
import { type Preview, previewPage } from '../../../preview/preview-page.ts'
import { gmtText } from '../../../wordpress/dates.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import type { CliServices } from '../../cli-context.ts'
import { slugFromFileName } from '../folder/frame-file-name.ts'
import { decodeMarkup, readFrameFolder } from '../folder/frame-folder.ts'
import { describeFolder } from '../push/describe-folder.ts'
import { type FolderChanges, readFolderChanges } from '../push/folder-changes.ts'

/** What is wrong with a file of the folder, or with a bind of the page. */
export type FolderProblem = {
  /** Name of the file, or slug of a frame that is not in the folder; '' for the page. */
  readonly file: string
  /** Contains the line and the column, if they are known. */
  readonly message: string
}

type FolderServices = Pick<CliServices, 'db' | 'bakery' | 'log'>

/** The page with this id as visitors would get it if the folder was pushed, and the problems of the folder. Stores nothing. */
export async function previewFolder(
  services: FolderServices,
  site: Site,
  path: string,
  page: number,
): Promise<{ readonly html: string; readonly problems: readonly FolderProblem[] }> {
  const write = async (tx: Tx) => ({ result: await writeFolder(tx, site, path), changes: [] })
  const preview = await previewPage(services, site, { page, write })
  return { html: preview.html, problems: problemsOf(preview) }
}

/** The problems of the folder, without a page. */
export function checkFolder(
  { db }: FolderServices,
  site: Site,
  path: string,
): Promise<readonly FolderProblem[]> {
  return db.write({ site, dryRun: true }, (tx) => writeFolder(tx, site, path))
}

/**
 * Writes what a push of the folder would write, as far as its files are valid. Frames that changed on the site since the pull are overwritten.
 * @returns the problems of all files, also of unchanged ones
 */
async function writeFolder(tx: Tx, site: Site, path: string): Promise<FolderProblem[]> {
  const context = createPlanContext(0)
  const { markup } = context
  const changes = await readFolderChanges(path, site, markup)
  const frames = await lockFrames(tx, site)
  const described = describeFolder(changes, { force: true, delete: false })
  const desired = { ...NOTHING, frames: described.frames.flatMap(desiredFrame) }
  const planned = await planFrames(tx, site, desired, context, frames.graph)
  const unchanged = await readUnchanged(path, site, changes)
  const all = { ...desired, frames: [...unchanged, ...desired.frames] }
  const found = await findPlanProblems(tx, site, all, planned, markup)
  const limits = { now: gmtText(context.now()), maxSiteBytes: undefined }
  await writePlannedFrames(tx, site, frames, planned, context, limits)
  const problems = [...planned.problems, ...found.map(presentProblem)]
  return [
    ...described.problems,
    ...problems.map(({ name, message }) => ({ file: `${name}.html`, message })),
  ]
}

const NOTHING = { manages: 'named', menus: [], pages: [], variables: undefined } as const

const desiredFrame = ({ html, ...frame }: Bundle['frames'][number]): DesiredFrame[] =>
  html === undefined ? [] : [{ ...frame, html }]

/** The frames of files that are as they were pulled. */
async function readUnchanged(
  path: string,
  site: Site,
  { changed }: FolderChanges,
): Promise<DesiredFrame[]> {
  const names = new Set(changed.map(({ name }) => name))
  const { files } = await readFrameFolder(path, site)
  return [...files.values()].flatMap((file) => {
    const slug = findSlug(slugFromFileName(file.name))
    const html = decodeMarkup(file)
    if (names.has(file.name) || slug === undefined || html === undefined) return []
    return [{ slug, html, formerly: [] }]
  })
}

/** A bind without a value is no mistake: many pages lack some data. */
function problemsOf({ written, warnings, unresolved }: Preview<FolderProblem[]>): FolderProblem[] {
  const known = new Set(written.map(({ file, message }) => `${file} ${message.split(': ', 1)[0]}`))
  const mistaken = unresolved
    .filter(({ reason }) => reason !== 'no_value')
    .map((bind) => ({ file: `${bind.frame}.html`, ...describeBind(bind) }))
    .filter(({ file, position }) => !known.has(`${file} ${position}`))
  return [
    ...written,
    ...warnings.map((message) => ({ file: '', message })),
    ...mistaken.map(({ file, position, why }) => ({ file, message: `${position}: ${why}` })),
  ]
}

function describeBind({ bind, reason, line, column }: UnresolvedBind) {
  const why = reason === 'unknown_name' ? 'names no value' : 'is not allowed'
  return { position: `Line ${line}, column ${column}`, why: `The bind "${bind}" ${why}.` }
}
