import type { Change } from '../../../change.ts'
import type { Tx } from '../../../db/transaction.ts'
import { createFrame, type FrameWriteOutcome } from '../../../frames/create-frame.ts'
import { type DeletionResult, deleteFrame } from '../../../frames/delete-frame.ts'
import type { MarkupAnalyzer } from '../../../frames/frame-markup.ts'
import { decodeRegistry, type FrameName, lockRegistry } from '../../../frames/registry.ts'
import type { RenameResult } from '../../../frames/rename-frame.ts'
import { replaceFrame } from '../../../frames/replace-frame.ts'
import { applyEdits } from '../../../markup/rewrite-references.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { CommandError } from '../../cli-context.ts'
import {
  createFrameFile,
  decodeMarkup,
  type FrameFile,
  type FrameFolder,
} from '../folder/frame-folder.ts'
import { type ManifestEntry, upsertEntry } from '../folder/manifest.ts'
import { describeLastChange, findReadableFrame } from '../site-frames.ts'
import type { PushStep } from './plan-push.ts'

/** The options that all steps of a push share. */
export type PushWrite = {
  readonly userId: number
  /** GMT, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly bake: boolean
  readonly force: boolean
  /** Analyzes the markup of the frames that a rename rewrites. */
  readonly analyzer: MarkupAnalyzer
}

/** The result of a step on the site. */
export type StepResult = {
  readonly step: PushStep
  readonly id: string
  readonly change: Change
  /** Hash of the stored markup; undefined if the frame was deleted. */
  readonly sha256: string | undefined
  /** The former slug, and the new hashes of the rewritten embedders by id. */
  readonly renamed:
    | { readonly from: string; readonly others: ReadonlyMap<string, string | undefined> }
    | undefined
  readonly warnings: readonly string[]
}

/**
 * Performs one step in a transaction, with the same functions as the API. Undefined if a rename has already made the change.
 * @throws CommandError if the frame changed on the site since the pull; AppError as these functions do
 */
export async function performStep(
  tx: Tx,
  site: Site,
  folder: FrameFolder,
  step: PushStep,
  write: PushWrite,
): Promise<StepResult | undefined> {
  const file = folder.files.get(step.file)
  const html = file && decodeMarkup(file)
  if (step.action === 'create')
    return writeResult(step, await createFrame(tx, site, { ...write, slug: step.slug, html }))
  const { id, slug } = step
  const entry = folder.entries.get(id)
  if (step.action === 'update' && entry?.sha256 === file?.sha256) return undefined
  const name = await lockFrameName(tx, site, id)
  if (entry && !write.force) await assertUnchangedSincePull(tx, site, name, entry)
  if (step.action === 'delete') return deleteResult(step, await deleteFrame(tx, site, id, write))
  if (step.action === 'update')
    return writeResult(step, await replaceFrame(tx, site, id, { ...write, html }))
  const rewrite = await write.analyzer.rewrite(html ?? '', name.slug, slug)
  const renamed = html && applyEdits(html, rewrite.edits)
  return writeResult(step, await replaceFrame(tx, site, id, { ...write, slug, html: renamed }))
}

/** Locks the site's frames until the transaction ends, and returns the current name of this one. */
async function lockFrameName(tx: Tx, site: Site, id: string): Promise<FrameName> {
  return decodeRegistry(await lockRegistry(tx, site)).get(id)
}

async function assertUnchangedSincePull(
  tx: Tx,
  site: Site,
  name: FrameName,
  { sha256 }: ManifestEntry,
): Promise<void> {
  const stored = await findReadableFrame(tx, site, name)
  if (stored?.meta.sha256 === sha256) return
  throw new CommandError(`it was changed on the site since the pull, ${describeLastChange(stored)}`)
}

function writeResult(
  step: PushStep,
  {
    frame,
    report,
    change,
    graph,
    renamed,
  }: FrameWriteOutcome & { readonly renamed?: RenameResult | undefined },
): StepResult {
  const others = (renamed?.details ?? []).map(({ id }) => [id, graph.get(id)?.meta.sha256] as const)
  return {
    step,
    id: frame.id,
    change,
    sha256: frame.meta.sha256,
    renamed: renamed && { from: renamed.from, others: new Map(others) },
    warnings: report.warnings,
  }
}

function deleteResult(
  step: PushStep,
  { frame, unboundPages, referencedBy, change }: DeletionResult,
): StepResult {
  return {
    step,
    id: frame.id,
    change,
    sha256: undefined,
    renamed: undefined,
    warnings: [
      ...(unboundPages.length > 0
        ? [`pages that were assigned to it now return 404: ${unboundPages.join(', ')}`]
        : []),
      ...(referencedBy.length > 0
        ? [`frames that embed it now print nothing in its position: ${referencedBy.join(', ')}`]
        : []),
    ],
  }
}

/** Copies a folder in memory, so that a dry run can update the copy. */
export function copyFolder(folder: FrameFolder): FrameFolder {
  return { ...folder, entries: new Map(folder.entries), files: new Map(folder.files) }
}

/**
 * Applies the result of a step to the folder in memory. After a rename, the references in the files are rewritten, as in the site's frames.
 * @returns the files whose contents changed
 */
export async function applyToFolder(
  { entries, files }: FrameFolder,
  done: StepResult,
  { analyzer }: Pick<PushWrite, 'analyzer'>,
): Promise<FrameFile[]> {
  const { step, id, sha256, renamed } = done
  if (sha256 === undefined) {
    entries.delete(id)
    return []
  }
  const known = step.action === 'update' ? entries.get(id) : undefined
  // A frame that was renamed on the site keeps its file until the next pull.
  upsertEntry(entries, { id, slug: known?.slug ?? step.slug, sha256, file: step.file })
  if (!renamed) return []
  for (const [other, stored] of renamed.others) {
    const entry = entries.get(other)
    if (entry && stored) entries.set(other, { ...entry, sha256: stored })
  }
  const rewritten: FrameFile[] = []
  for (const file of files.values()) {
    const html = decodeMarkup(file)
    if (!html?.includes(renamed.from)) continue
    const { edits, replaced } = await analyzer.rewrite(html, renamed.from, step.slug)
    if (replaced > 0)
      rewritten.push(createFrameFile(file.name, Buffer.from(applyEdits(html, edits))))
  }
  for (const file of rewritten) files.set(file.name, file)
  return rewritten
}
