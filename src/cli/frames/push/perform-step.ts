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
import { describeLastChange, findStoredFrame } from '../site-frames.ts'
import type { PushStep } from './plan-push.ts'

/** Who writes and when, and what is overwritten and built. */
export type PushWrite = {
  readonly userId: number
  /** GMT, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly bake: boolean
  readonly force: boolean
  /** What reads the markup of the frames that a rename changes. */
  readonly reader: MarkupAnalyzer
}

/** What a step did to the site. */
export type StepResult = {
  readonly step: PushStep
  readonly id: string
  readonly change: Change
  /** Of what is stored now; undefined where the frame was deleted. */
  readonly sha256: string | undefined
  /** The slug that it bore, and what is stored of the frames that name it anew, by id. */
  readonly renamed:
    | { readonly from: string; readonly others: ReadonlyMap<string, string | undefined> }
    | undefined
  readonly warnings: readonly string[]
}

/**
 * Does one step in its transaction, by the verbs of the API. Undefined where a rename has brought the site there already.
 * @throws CommandError where the site holds something that was not pulled; AppError as the verbs do
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
  const rewrite = await write.reader.rewrite(html ?? '', name.slug, slug)
  const renamed = html && applyEdits(html, rewrite.edits)
  return writeResult(step, await replaceFrame(tx, site, id, { ...write, slug, html: renamed }))
}

/** Keeps other writers out until the step is done. */
async function lockFrameName(tx: Tx, site: Site, id: string): Promise<FrameName> {
  return decodeRegistry(await lockRegistry(tx, site)).get(id)
}

async function assertUnchangedSincePull(
  tx: Tx,
  site: Site,
  name: FrameName,
  { sha256 }: ManifestEntry,
): Promise<void> {
  const stored = await findStoredFrame(tx, site, name)
  if (stored?.sha256 === sha256) return
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
        ? [`pages that stood on it answer 404: ${unboundPages.join(', ')}`]
        : []),
      ...(referencedBy.length > 0
        ? [`frames that embed it print nothing for it: ${referencedBy.join(', ')}`]
        : []),
    ],
  }
}

/** A folder that can be followed through a rehearsal without changing. */
export function copyFolder(folder: FrameFolder): FrameFolder {
  return { ...folder, entries: new Map(folder.entries), files: new Map(folder.files) }
}

/**
 * Notes in the folder what a step did to the site. Where it renamed a frame, the files that embed it say the new name, as the site's
 * frames do.
 * @returns the files that have other bytes now
 */
export async function applyToFolder(
  { entries, files }: FrameFolder,
  done: StepResult,
  { reader }: Pick<PushWrite, 'reader'>,
): Promise<FrameFile[]> {
  const { step, id, sha256, renamed } = done
  if (sha256 === undefined) {
    entries.delete(id)
    return []
  }
  const known = step.action === 'update' ? entries.get(id) : undefined
  // A frame that others renamed keeps its file until the next pull.
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
    const { edits, replaced } = await reader.rewrite(html, renamed.from, step.slug)
    if (replaced > 0)
      rewritten.push(createFrameFile(file.name, Buffer.from(applyEdits(html, edits))))
  }
  for (const file of rewritten) files.set(file.name, file)
  return rewritten
}
