import { stat } from 'node:fs/promises'
import { readRegistry } from '../../../frames/registry.ts'
import { prepareRename } from '../../../frames/rename-frame.ts'
import { isFileNotFound } from '../../../publishing/file-not-found.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { type CliServices, CommandError } from '../../cli-context.ts'
import type { SiteReport, SiteRun } from '../../sites/run-over-sites.ts'
import { type FrameFolder, readFrameFolder } from '../folder/frame-folder.ts'
import { upsertEntry, writeManifest } from '../folder/manifest.ts'
import { orderSteps } from './order-steps.ts'
import type { PushWrite } from './perform-step.ts'
import { type PushPlan, planPush } from './plan-push.ts'
import { reportOnDryRun, reportOnProblems, reportOnSending } from './report-on-push.ts'
import { dryRunPush, sendSteps } from './run-steps.ts'

export type PushSiteOptions = Omit<PushWrite, 'analyzer'> & {
  readonly delete: boolean
  readonly dryRun: boolean
  /** Skips a site without a folder instead of failing. */
  readonly mayBeMissing: boolean
}

/**
 * Sends the changes in a folder. The whole push is planned and dry-run before the first write; if there is any problem, nothing is written.
 * @throws CommandError if the folder does not exist
 */
export async function pushSite(
  services: CliServices,
  site: Site,
  run: SiteRun,
  path: string,
  options: PushSiteOptions,
): Promise<SiteReport> {
  const { db } = services
  if (!(await isFolder(path))) {
    if (options.mayBeMissing) return { outcome: 'was not pulled' }
    throw new CommandError(`There is no folder ${path}. Create it with "wp-frames frames pull".`)
  }
  const folder = await readFrameFolder(path, site)
  const names = (await readRegistry(db, site)).all()
  const plan = await planPush(db, site, folder, names, options)
  if (plan.problems.length > 0) return reportOnProblems(path, plan.problems)
  const steps = orderSteps(folder, plan.steps)
  const write = { ...options, analyzer: services.markupAnalyzer(site) }
  for (const step of steps) {
    if (step.action !== 'rename') continue
    await prepareRename(db, site, step.id, { slug: step.slug, analyzer: write.analyzer })
  }
  const { problems, results } = await dryRunPush(db, site, folder, steps, write)
  if (problems.length > 0) return reportOnProblems(path, problems)
  if (options.dryRun) return reportOnDryRun(path, plan, results)
  await recordAgreed(site, folder, plan)
  run.progress.expect(steps.length)
  const outcome = await sendSteps(services, site, folder, steps, write, run)
  return reportOnSending(path, plan, results, outcome)
}

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (isFileNotFound(error)) return false
    throw error
  }
}

/** Updates the manifest for frames that need no write to the site. */
async function recordAgreed(
  site: Site,
  { path, entries }: FrameFolder,
  { agreed, gone }: PushPlan,
): Promise<void> {
  if (agreed.length + gone.length === 0) return
  for (const id of gone) entries.delete(id)
  for (const entry of agreed) upsertEntry(entries, entry)
  await writeManifest(path, site, entries.values())
}
