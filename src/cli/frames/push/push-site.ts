import { stat } from 'node:fs/promises'
import { analyzeMarkup } from '../../../frames/frame-markup.ts'
import { readRegistry } from '../../../frames/registry.ts'
import { prepareRename } from '../../../frames/rename-frame.ts'
import { isFileNotFound } from '../../../publishing/file-not-found.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { type CliServices, CommandError } from '../../cli-context.ts'
import type { SiteReport, SiteRun } from '../../sites/run-over-sites.ts'
import { decodeMarkup, type FrameFolder, readFrameFolder } from '../folder/frame-folder.ts'
import { upsertEntry, writeManifest } from '../folder/manifest.ts'
import type { PushWrite } from './perform-step.ts'
import { type PushPlan, type PushStep, planPush } from './plan-push.ts'
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

async function isFolder(path: string): Promise<boolean> {
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

/**
 * Orders the steps: renames first, so that embedders are sent with the new name; embedded frames before their embedders, so that each bake
 * is complete; deletions last.
 */
function orderSteps({ files }: FrameFolder, steps: readonly PushStep[]): PushStep[] {
  const written = steps.filter(({ action }) => action === 'create' || action === 'update')
  const byRef = new Map<string, PushStep>()
  for (const step of written) {
    byRef.set(step.slug, step)
    if ('id' in step) byRef.set(step.id, step)
  }
  const ordered = new Set<PushStep>()
  const started = new Set<PushStep>()
  const addWithEmbedded = (step: PushStep): void => {
    if (started.has(step)) return
    started.add(step)
    const file = files.get(step.file)
    const { references } = analyzeMarkup((file && decodeMarkup(file)) ?? '')
    for (const ref of references) {
      const embedded = byRef.get(ref)
      if (embedded) addWithEmbedded(embedded)
    }
    ordered.add(step)
  }
  for (const step of written) addWithEmbedded(step)
  return [
    ...steps.filter(({ action }) => action === 'rename'),
    ...ordered,
    ...steps.filter(({ action }) => action === 'delete'),
  ]
}
