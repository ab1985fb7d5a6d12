import type { FrameGraph } from '../../content/frames/graph.ts'
import { type Change, workOf } from '../../content/work/change.ts'
import { checksCopies, namesOf, type Work } from '../../content/work/work.ts'
import { inBatches } from '../../db/sql.ts'
import { findDependents } from '../baking/dependents.ts'
import { type BakeResult, bakeFrames, type DependentResult } from './bake-frames.ts'
import type { FailureLog } from './executor.ts'
import type { SiteBuild } from './site-build.ts'

export type BakeThingsOptions = {
  readonly build: SiteBuild
  readonly things: readonly Work[]
  /** Lists those of these pages whose static copies may have been made of none of these baked copies [all]. */
  readonly listOtherCopies?: ListOtherCopies
  /** Finds the pages whose copies no longer belong where they are [none]. */
  readonly findStalePages?: () => Promise<readonly number[]>
  readonly describeFailure: FailureLog
}

/** What has become of things: frames were baked, and pages follow. */
export type BakedThings = {
  /** The pages that follow from the things. */
  readonly pages: readonly number[]
  /** The frames that were baked, all of whose pages follow. */
  readonly frames: readonly string[]
  /** The frames that could not be baked, with messages for clients. Their pages keep their copies. */
  readonly failedFrames: ReadonlyMap<string, string>
  /** What is left: the frames that were too many for one time. */
  readonly left: readonly Work[]
}

/** Kinds of things whose frames have nearly always to be baked again; of others, most copies may be fresh. */
const WRITTEN_KINDS: ReadonlySet<string> = new Set(['frame', 'embeds', 'dataset', 'menus'])

/** Frames that are baked from one snapshot: a page that is edited meanwhile waits for so many. */
export const FRAMES_AT_ONCE = 500
/** Their markup, in bytes. */
export const BYTES_AT_ONCE = 16 * 1024 * 1024

/** Bakes the frames that things ask for, and finds the pages to publish. The caller stores the copies (`SiteBuild.storeBaked`). */
export async function bakeThings(options: BakeThingsOptions): Promise<BakedThings> {
  const { build, things, describeFailure, listOtherCopies } = options
  const { graph } = build
  const wanted = framesFor(graph, things)
  const isWhole = new Set(wanted.frames)
  const known = [...new Set([...wanted.frames, ...wanted.outdated])].filter(
    (id) => graph.get(id) !== undefined,
  )
  const [now = [], ...rest] = inBatches(known, BYTES_AT_ONCE, (id) =>
    Math.max(BYTES_AT_ONCE / FRAMES_AT_ONCE, graph.closureBytes(id)),
  )
  const later = rest.flat()
  // Read with the stored copies.
  build.pagesOn(now.filter((id) => isWhole.has(id))).catch(() => {})
  const isProbablyStale = things.every(({ kind }) => WRITTEN_KINDS.has(kind))
  const results = await bakeFrames(build, now, describeFailure, {
    isProbablyStale,
    isStoredLater: true,
  })
  const failedFrames = messagesOf(results)
  const baked = now.filter((id) => !failedFrames.has(id))
  const frames = baked.filter((id) => isWhole.has(id))
  const stale = wanted.checksCopies ? await options.findStalePages?.() : undefined
  const pages = [
    ...(await build.pagesOn(frames)),
    ...(await findOutdatedPages(
      build,
      results,
      baked.filter((id) => !isWhole.has(id)),
      listOtherCopies,
    )),
    ...(stale ?? []),
  ]
  return {
    pages: [...new Set(pages)],
    frames,
    failedFrames,
    left: later.map((id) =>
      isWhole.has(id) ? { kind: 'frame', name: id } : { kind: 'outdated', name: `frame:${id}` },
    ),
  }
}

/** The ids of the frames that a change asks for. */
export function framesOf(graph: FrameGraph, change: Change): string[] {
  const { frames, outdated } = framesFor(graph, workOf(change))
  const written = (change.bake && change.frame) || []
  return [...new Set([...frames, ...outdated].concat(written))]
}

/** What work asks for, besides the pages that it names. */
export type WantedFrames = {
  /** Ids of frames to bake, all of whose pages are published. */
  readonly frames: readonly string[]
  /** Ids of frames to bake. Of their pages those are published whose copies were made of another baked copy. */
  readonly outdated: readonly string[]
  readonly checksCopies: boolean
}

export function framesFor(graph: FrameGraph, work: readonly Work[]): WantedFrames {
  const dependentsOf = (part: readonly Work[]) =>
    findDependents(graph, part).map(({ frame }) => frame.id)
  const outdated = work.filter(({ kind }) => kind === 'outdated')
  return {
    frames: [
      ...namesOf('frame', work),
      ...dependentsOf(work.filter(({ kind }) => kind !== 'outdated')),
    ],
    outdated: [
      ...outdated.flatMap(({ name }) =>
        name.startsWith(OF_FRAME) ? name.slice(OF_FRAME.length) : [],
      ),
      ...dependentsOf(outdated),
    ],
    checksCopies: checksCopies(work),
  }
}

/** The begin of the name of `outdated` for a single frame. */
const OF_FRAME = 'frame:'

/** @param sources fingerprints of baked copies. @returns undefined if it may be any of the pages */
type ListOtherCopies = (
  pages: readonly number[],
  sources: readonly string[],
) => Promise<readonly number[] | undefined>

/** The pages on these frames whose static copies were made of another baked copy than the present one. */
async function findOutdatedPages(
  build: SiteBuild,
  results: ReadonlyMap<string, BakeResult>,
  ids: readonly string[],
  listOtherCopies: ListOtherCopies | undefined,
): Promise<number[]> {
  if (ids.length === 0) return []
  const present = ids.flatMap((id) => {
    const result = results.get(id)
    return result && 'bake' in result
      ? result.bake.copy.header.languages.map(({ fingerprint }) => fingerprint)
      : []
  })
  const pages = await build.pagesOn(ids)
  const outdated = await listOtherCopies?.(pages, present)
  if (outdated === undefined) return pages
  const others = new Set(outdated)
  return pages.filter((page) => others.has(page))
}

/** The frames that failed, with messages for clients. */
export function messagesOf(results: ReadonlyMap<string, DependentResult>): Map<string, string> {
  return new Map(
    [...results].flatMap(([id, result]) => ('message' in result ? [[id, result.message]] : [])),
  )
}
