import { analyzeMarkup } from '../../../frames/frame-markup.ts'
import { decodeMarkup, type FrameFolder } from '../folder/frame-folder.ts'
import type { PushStep } from './plan-push.ts'

/**
 * Orders the steps: renames first, so that embedders are sent with the new name; embedded frames before their embedders, so that each bake
 * is complete; deletions last.
 */
export function orderSteps({ files }: FrameFolder, steps: readonly PushStep[]): PushStep[] {
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
