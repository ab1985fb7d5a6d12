import type { Change, Touched } from '../change.ts'

/**
 * One change for several writes of a site, which has the work of all of them. A frame that nothing uses is left out, because its copy is
 * baked when it is needed. Only for changes of writes: a rebake (`chosen`) or an edit (`outdatedOnly`) is not merged.
 */
export function mergeChanges(changes: readonly Change[]): Change {
  const built = changes.filter(({ bake, isUsed = true }) => bake && isUsed)
  const unbound = changes.filter(({ bake, unbound = false }) => !bake && unbound)
  const touched = new Map<string, Touched>(
    built.flatMap(({ touched }) => touched).map((one) => [JSON.stringify(one), one]),
  )
  return {
    bake: built.length > 0,
    frames: [
      ...new Set(
        built.flatMap(({ frame, frames = [] }) =>
          frame === undefined ? frames : [frame, ...frames],
        ),
      ),
    ],
    touched: [...touched.values()],
    pages: [...new Set([...built, ...unbound].flatMap(({ pages }) => pages))],
    ...(unbound.length > 0 ? { unbound: true } : {}),
    ...(built.some(({ all }) => all) ? { all: true } : {}),
    ...(built.some(({ copies }) => copies) ? { copies: true } : {}),
  }
}
