import type { UnresolvedBind } from '../../../change.ts'
import type { Tx } from '../../../db/transaction.ts'
import { readRegistry } from '../../../frames/registry.ts'
import { type Preview, previewPage } from '../../../preview/preview-page.ts'
import { gmtText } from '../../../wordpress/dates.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import type { CliServices } from '../../cli-context.ts'
import { readFrameFolder } from '../folder/frame-folder.ts'
import { orderSteps } from '../push/order-steps.ts'
import { planPush } from '../push/plan-push.ts'
import { performSteps } from '../push/run-steps.ts'

/** What is wrong with a file of the folder, or with a bind of the page. */
export type FolderProblem = {
  /** Name of the file, or slug of a frame that is not in the folder; '' for the page. */
  readonly file: string
  /** Contains the line and the column, if they are known. */
  readonly message: string
}

type FolderServices = Pick<CliServices, 'db' | 'bakery' | 'log' | 'markupAnalyzer'>

/** The page with this id as visitors would get it if the folder was pushed, and the problems of the folder. Stores nothing. */
export async function previewFolder(
  services: FolderServices,
  site: Site,
  path: string,
  page: number,
): Promise<{ readonly html: string; readonly problems: readonly FolderProblem[] }> {
  const write = (tx: Tx) => writeFolder(services, tx, site, path)
  const preview = await previewPage(services, site, { page, write })
  return { html: preview.html, problems: problemsOf(preview) }
}

/** The problems of the folder, without a page. */
export function checkFolder(
  services: FolderServices,
  site: Site,
  path: string,
): Promise<readonly FolderProblem[]> {
  const { db } = services
  return db.write({ site, dryRun: true }, (tx) => writeFolder(services, tx, site, path))
}

/**
 * Writes what a push of the folder would write, as far as its files are valid. Frames that changed on the site since the pull are overwritten.
 * @returns the problems
 */
async function writeFolder(
  { markupAnalyzer }: FolderServices,
  tx: Tx,
  site: Site,
  path: string,
): Promise<FolderProblem[]> {
  const folder = await readFrameFolder(path, site)
  const names = (await readRegistry(tx, site)).all()
  const plan = await planPush(tx, site, folder, names, { force: true, delete: false })
  const analyzer = markupAnalyzer(site)
  const write = { userId: 0, now: gmtText(new Date()), bake: true, force: true, analyzer }
  const steps = orderSteps(folder, plan.steps)
  const { problems, results } = await performSteps(tx, site, folder, steps, write)
  return [
    ...[...plan.problems, ...problems].map(({ file, message }) => ({ file, message })),
    ...results.flatMap(({ step: { file }, warnings }) =>
      warnings.map((message) => ({ file, message })),
    ),
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
