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

export type PushSiteOptions = Omit<PushWrite, 'reader'> & {
  readonly delete: boolean
  readonly dryRun: boolean
  /** A site without a folder has nothing to send. */
  readonly mayBeMissing: boolean
}

/**
 * Sends what changed in a folder. All of it is planned, and rehearsed on the site, before the first write: where anything stands in the
 * way, nothing is written.
 * @throws CommandError where there is no folder
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
    throw new CommandError(`There is no folder ${path}. Make one with "frames pull".`)
  }
  const folder = await readFrameFolder(path, site)
  const names = (await readRegistry(db, site)).all()
  const plan = await planPush(db, site, folder, names, options)
  if (plan.problems.length > 0) return reportOnProblems(path, plan.problems)
  const steps = orderSteps(folder, plan.steps)
  const write = { ...options, reader: services.markupAnalyzer(site) }
  for (const step of steps) {
    if (step.action !== 'rename') continue
    await prepareRename(db, site, step.id, { slug: step.slug, analyzer: write.reader })
  }
  const { problems, rehearsed } = await dryRunPush(db, site, folder, steps, write)
  if (problems.length > 0) return reportOnProblems(path, problems)
  if (options.dryRun) return reportOnDryRun(path, plan, rehearsed)
  await recordAgreed(site, folder, plan)
  run.progress.expect(steps.length)
  const sending = await sendSteps(services, site, folder, steps, write, run)
  return reportOnSending(path, plan, rehearsed, sending)
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (isFileNotFound(error)) return false
    throw error
  }
}

/** What needs no write to the site. */
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
 * Renames first, so that what embeds the frame is sent as it is then; what is embedded before what embeds it, so that nothing is built of
 * half; deletions last.
 */
export function orderSteps({ files }: FrameFolder, steps: readonly PushStep[]): PushStep[] {
  const written = steps.filter(({ action: does }) => does === 'create' || does === 'update')
  const byRef = new Map<string, PushStep>()
  for (const step of written) {
    byRef.set(step.slug, step)
    if ('id' in step) byRef.set(step.id, step)
  }
  const ordered = new Set<PushStep>()
  const begun = new Set<PushStep>()
  const visit = (step: PushStep): void => {
    if (begun.has(step)) return
    begun.add(step)
    const file = files.get(step.file)
    const { references } = analyzeMarkup((file && decodeMarkup(file)) ?? '')
    for (const ref of references) {
      const embedded = byRef.get(ref)
      if (embedded) visit(embedded)
    }
    ordered.add(step)
  }
  for (const step of written) visit(step)
  return [
    ...steps.filter(({ action: does }) => does === 'rename'),
    ...ordered,
    ...steps.filter(({ action: does }) => does === 'delete'),
  ]
}
