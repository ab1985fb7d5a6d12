import { analyzeMarkup } from '../../../frames/frame-markup.ts'
import { type FrameFolder, decodeMarkup } from '../folder/frame-folder.ts'
import type { PushStep } from './plan-push.ts'

/**
 * Renames first, so that what embeds the frame is sent as it is then; what is embedded before what embeds it, so that nothing is built of
 * half; deletions last.
 */
export function orderSteps({ files }: FrameFolder, steps: readonly PushStep[]): PushStep[] {
  const written = steps.filter(({ does }) => does === 'create' || does === 'update')
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
    ...steps.filter(({ does }) => does === 'rename'),
    ...ordered,
    ...steps.filter(({ does }) => does === 'delete'),
  ]
}
