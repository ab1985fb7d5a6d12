import { describeBake } from '../baking/bake-frame.ts'
import type { BakeEffect, Change, StaticEffect } from '../change.ts'
import type { Log } from '../log.ts'
import { logAndDescribe } from './executor.ts'
import type { SiteBuild } from './site-build.ts'

/** Does the static copy on disk show what this build made? One without a reason against it does. */
function showsBuild(copy: StaticEffect | undefined): boolean {
  return copy?.published === true && copy.reason === null
}

/** Bakes the frame that a change wrote and reports it (contract, section 2.3). */
export async function bakeWritten(
  build: SiteBuild,
  { bake, frame: id }: Change,
  statics: ReadonlyMap<number, StaticEffect>,
  log: Log,
): Promise<BakeEffect> {
  const frame = id === undefined ? undefined : build.graph.get(id)
  if (!bake || !frame) return { status: 'skipped' }
  try {
    const baked = await build.bake(frame.id)
    const pages = await build.pagesOn([frame.id])
    const published = pages.filter((page) => showsBuild(statics.get(page)))
    return {
      status: 'ok',
      response: {
        ...describeBake(frame, baked),
        renders_on_request:
          build.graph.rendersOnRequest(frame.id) ||
          baked.copy.header.languages.some(({ live }) => live),
        default_lang: await build.data.defaultLanguage(),
        published: { published: published.length > 0, pages: published },
        pages,
      },
    }
  } catch (error) {
    return { status: 'failed', message: logAndDescribe(error, log) }
  }
}
