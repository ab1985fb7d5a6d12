import { describeBake } from '../baking/bake-frame.ts'
import type { CopyHeader } from '../baking/baked-copy.ts'
import { findDependents } from '../baking/dependents.ts'
import type { RebakeEffect } from '../effects.ts'
import type { FrameGraph } from '../frames/graph.ts'
import { type Change, workOf } from '../work/change.ts'
import type { ClaimedWork } from '../work/claims.ts'
import { checksCopies, namesOf, pagesOf, type Work } from '../work/work.ts'
import { type BakeResult, bakeFrames, describeRebake, resultsSince } from './bake-frames.ts'
import type { FailureLog } from './executor.ts'
import type { FollowedChange, WrittenBake } from './followed-change.ts'
import type { SiteBuild } from './site-build.ts'

export type BakeWorkOptions = {
  readonly build: SiteBuild
  /** The claimed rows. */
  readonly work: readonly ClaimedWork[]
  /** Changes whose clients wait for their effects. */
  readonly followed: readonly FollowedChange[]
  /** The stored copies of the frames are stale, whatever they contain [they are read]. */
  readonly isStale?: boolean
  /** Lists those of these pages whose static copies may have been made of none of these baked copies [all]. */
  readonly listOtherCopies?: ListOtherCopies
  /** Finds the pages whose copies no longer belong where they are [none]. */
  readonly findStalePages?: () => Promise<readonly number[]>
  /** The headers of the copies before another process did this work [this process does it]. */
  readonly former?: ReadonlyMap<string, CopyHeader | undefined>
  readonly describeFailure: FailureLog
}

/** What has become of the frames of a claim, and what is to be published. */
export type BakedWork = {
  /** The pages that follow from the rows, besides those that have rows of their own. */
  readonly pages: readonly number[]
  /** The frames that could not be baked, with messages for clients. Their pages keep their copies. */
  readonly failedFrames: ReadonlyMap<string, string>
}

/** Bakes the frames that the claimed rows and the followed changes ask for, and finds the pages to publish. */
export async function bakeWork(options: BakeWorkOptions): Promise<BakedWork> {
  const { build, work, followed, isStale, describeFailure, listOtherCopies } = options
  const { graph } = build
  const ofRows = framesFor(graph, work)
  const ofClients = followed.map((one) => ({ one, wanted: framesFor(graph, workOf(one.change)) }))
  const written = followed.flatMap(({ change: { bake, frame } }) => (bake && frame) || [])
  const all = [...ofClients.map(({ wanted }) => wanted), ofRows]
  const ids = new Set([
    ...written,
    ...all.flatMap(({ frames, outdated }) => [...frames, ...outdated]),
  ])
  const known = [...ids].filter((id) => graph.get(id) !== undefined)
  // Read with the stored copies.
  const withPages = new Set(all.flatMap(({ frames }) => frames))
  build.pagesOn([...withPages]).catch(() => {})
  // A copy contains the digests of the markup that it was made of.
  const isProbablyStale = followed.some(({ change }) => change.markup !== undefined)
  const baked = await bakeFrames(build, known, describeFailure, {
    isProbablyStale: isProbablyStale && !options.former,
    isStale,
  })
  const results = options.former ? resultsSince(options.former, baked) : baked
  const failedFrames = messagesOf(results)
  const checksAny = all.some((wanted) => wanted.checksCopies)
  const stale = (checksAny && (await options.findStalePages?.())) || []
  const pagesFor = async ({ frames, outdated, checksCopies }: WantedFrames) => [
    ...(await build.pagesOn(frames)),
    ...(await findOutdatedPages(build, results, outdated, listOtherCopies)),
    ...(checksCopies ? stale : []),
  ]
  for (const { one, wanted } of ofClients) {
    const { change } = one
    one.takeBaked({
      bake: await describeWrittenFrame(build, change, results),
      rebaked: rebakeOf(graph, change, results),
      pages: [...new Set([...pagesOf(workOf(change)), ...(await pagesFor(wanted))])],
    })
  }
  const isBaked = (id: string) => !failedFrames.has(id)
  const pages = await pagesFor({
    frames: ofRows.frames.filter(isBaked),
    outdated: ofRows.outdated.filter(isBaked),
    checksCopies: ofRows.checksCopies,
  })
  return { pages: [...new Set(pages)], failedFrames }
}

/** The ids of the frames that a change asks for. */
export function framesOf(graph: FrameGraph, change: Change): string[] {
  const { frames, outdated } = framesFor(graph, workOf(change))
  const written = (change.bake && change.frame) || []
  return [...new Set([...frames, ...outdated].concat(written))]
}

/** What work asks for, besides the pages that it names. */
type WantedFrames = {
  /** Ids of frames to bake, all of whose pages are published. */
  readonly frames: readonly string[]
  /** Ids of frames to bake. Of their pages those are published whose copies were made of another baked copy. */
  readonly outdated: readonly string[]
  readonly checksCopies: boolean
}

function framesFor(graph: FrameGraph, work: readonly Work[]): WantedFrames {
  const dependentsOf = (part: readonly Work[]) =>
    findDependents(graph, part).map(({ frame }) => frame.id)
  return {
    frames: [
      ...namesOf('frame', work),
      ...dependentsOf(work.filter(({ kind }) => kind !== 'outdated')),
    ],
    outdated: dependentsOf(work.filter(({ kind }) => kind === 'outdated')),
    checksCopies: checksCopies(work),
  }
}

/** Describes the bakes of the frames that a change affects, besides the one that it wrote. */
function rebakeOf(
  graph: FrameGraph,
  change: Change,
  results: ReadonlyMap<string, BakeResult>,
): Omit<RebakeEffect, 'cache'> {
  const { bake, frame: written, work, declared } = change
  const dependents = findDependents(graph, declared?.work ?? workOf(change))
  const rebaked = describeRebake(
    dependents.filter(({ frame }) => frame.id !== written),
    declared && { chosen: new Set(namesOf('frame', work)), left: new Set(declared.left) },
    results,
  )
  return bake ? rebaked : { ...rebaked, status: 'skipped' }
}

/** @param sources fingerprints of baked copies. @returns undefined if it may be any of the pages */
type ListOtherCopies = (
  pages: readonly number[],
  sources: readonly string[],
) => Promise<readonly number[] | undefined>

/** The pages on these frames whose static copies were made of another baked copy than the present one. */
async function findOutdatedPages(
  build: SiteBuild,
  results: ReadonlyMap<string, BakeResult>,
  frames: Iterable<string>,
  listOtherCopies: ListOtherCopies | undefined,
): Promise<number[]> {
  const ids = [...frames]
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
function messagesOf(results: ReadonlyMap<string, BakeResult>): Map<string, string> {
  return new Map(
    [...results].flatMap(([id, result]) => ('message' in result ? [[id, result.message]] : [])),
  )
}

/** Describes the bake of the frame that a change wrote. */
async function describeWrittenFrame(
  build: SiteBuild,
  change: Change,
  results: ReadonlyMap<string, BakeResult>,
): Promise<WrittenBake> {
  const id = change.bake ? change.frame : undefined
  const frame = id === undefined ? undefined : build.graph.get(id)
  const result = frame && results.get(frame.id)
  if (!frame || !result) return { status: 'skipped' }
  if ('message' in result) return { status: 'failed', message: result.message }
  const { bake } = result
  return {
    status: 'ok',
    response: {
      ...describeBake(frame, bake),
      renders_on_request:
        build.graph.rendersOnRequest(frame.id) ||
        bake.copy.header.languages.some(({ live }) => live),
      default_lang: await build.data.defaultLanguage(),
      pages: await build.pagesOn([frame.id]),
    },
  }
}
