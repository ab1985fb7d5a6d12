import type { Tx } from '../../../db/transaction.ts'
import type { UnresolvedBind } from '../../../effects.ts'
import { lockFrames } from '../../../frames/lock-frames.ts'
import { createPlanContext } from '../../../plan/plan-context.ts'
import { planFrames } from '../../../plan/plan-frames.ts'
import { writePlannedFrames } from '../../../plan/write-frames.ts'
import { type Preview, previewPage } from '../../../preview/preview-page.ts'
import { gmtText } from '../../../wordpress/dates.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import type { CliServices } from '../../cli-context.ts'
import { describeFolder } from '../push/describe-folder.ts'
import { readFolderChanges } from '../push/folder-changes.ts'
import { findWarnings } from '../push/push-warnings.ts'

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
  const write = (tx: Tx) => writeFolder(tx, site, path)
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
 * @returns the problems
 */
async function writeFolder(tx: Tx, site: Site, path: string): Promise<FolderProblem[]> {
  const context = createPlanContext(0)
  const { markup } = context
  const changes = await readFolderChanges(path, site, markup)
  const frames = await lockFrames(tx, site)
  const desired = await describeFolder(tx, site, changes, { force: true, delete: false })
  const planned = await planFrames(tx, site, desired, context)
  const warnings = await findWarnings(tx, site, { frames: planned.writes }, markup)
  const limits = { now: gmtText(context.now()), maxSiteBytes: undefined }
  await writePlannedFrames(frames, planned, context, limits)
  const problems = planned.problems.map(({ name, message }) => ({ file: `${name}.html`, message }))
  return [
    ...(desired.problems ?? []).map(({ name, message }) => ({ file: name, message })),
    ...problems,
    ...warnings.map(({ slug, message }) => ({ file: `${slug}.html`, message })),
  ]
}

/** A bind without a value is no mistake: many pages lack some data. */
function problemsOf({ written, warnings, unresolved }: Preview<FolderProblem[]>): FolderProblem[] {
  const mistaken = unresolved.filter(({ reason }) => reason !== 'no_value')
  return [
    ...written,
    ...warnings.map((message) => ({ file: '', message })),
    ...mistaken.map((bind) => ({ file: `${bind.frame}.html`, message: describeBind(bind) })),
  ]
}

function describeBind({ bind, reason, line, column }: UnresolvedBind): string {
  const why = reason === 'unknown_name' ? 'names no value' : 'is not allowed'
  return `Line ${line}, column ${column}: The bind "${bind}" ${why}.`
}
