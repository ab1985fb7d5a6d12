import { describeBake } from '../baking/bake-frame.ts'
import { type Dependent, findDependents } from '../baking/dependents.ts'
import type { Change, Touched } from '../change.ts'
import type { FrameGraph } from '../frames/graph.ts'
import type { ClaimedWork } from '../work/claims.ts'
import { DATASET_MARK, touchesUrls } from '../work/record-work.ts'
import { type BakeResult, bakeFrames, describeRebake } from './bake-frames.ts'
import type { FailureLog } from './executor.ts'
import type { FollowedChange, WrittenBake } from './followed-change.ts'
import type { SiteBuild } from './site-build.ts'

export type BakeWorkOptions = {
  readonly build: SiteBuild
  /** The claimed rows. */
  readonly work: readonly ClaimedWork[]
  /** Changes whose clients wait for their effects. */
  readonly followed: readonly FollowedChange[]
  /** Lists those of these pages whose static copies may have been made of none of these baked copies [all]. */
  readonly listOtherCopies?: ListOtherCopies
  /** Finds the pages whose copies no longer belong where they are [none]. */
  readonly findStalePages?: () => Promise<readonly number[]>
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
  const { build, work, followed, describeFailure } = options
  const wanted = changeOf(work)
  const affected = (change: Change) => dependentsOf(build.graph, change)
  const named = work.filter(({ kind }) => kind === 'frame').map(({ name }) => name)
  const ofRows = [...named, ...affected(wanted).map(({ frame }) => frame.id)]
  const showing = affected({ ...NO_CHANGE, touched: work.flatMap(outdatedTouched) })
  const outdatedFrames = new Set(showing.map(({ frame }) => frame.id))
  const wantedByClients = followed.map((one) => {
    const { change } = one
    const dependents = affected(change).filter(({ frame }) => frame.id !== change.frame)
    const chosen = change.chosen && new Set(change.chosen)
    const others = dependents.map(({ frame }) => frame.id).filter((id) => chosen?.has(id) ?? true)
    return { one, change, dependents, chosen, frames: [...writtenFrames(change), ...others] }
  })
  // Written frames first: their clients wait for the result.
  const written = followed.flatMap(({ change }) => writtenFrames(change))
  const ids = new Set([
    ...written,
    ...wantedByClients.flatMap(({ frames }) => frames),
    ...ofRows,
    ...outdatedFrames,
  ])
  const known = [...ids].filter((id) => build.graph.get(id) !== undefined)
  const results = await bakeFrames(build, known, describeFailure)
  const failedFrames = messagesOf(results)
  const outdatedPages = async (frames: Iterable<string>) =>
    findOutdatedPages(build, results, frames, options.listOtherCopies)
  const checksCopies = (change: Change) =>
    change.bake && (change.copies ?? (!change.outdatedOnly && touchesUrls(change)))
  const isStaleWork = checksCopies(wanted) || work.some(({ kind }) => kind === 'copies')
  const isStale = isStaleWork || wantedByClients.some(({ change }) => checksCopies(change))
  const stale = (isStale && (await options.findStalePages?.())) || []
  for (const { one, change, dependents, chosen, frames } of wantedByClients) {
    const rebaked = describeRebake(dependents, chosen, results)
    one.takeBaked({
      bake: await describeWrittenFrame(build, change, results),
      rebaked: change.bake ? rebaked : { ...rebaked, status: 'skipped' },
      pages: [
        ...new Set([
          ...change.pages,
          ...(change.outdatedOnly && !change.all
            ? [...(await build.pagesOn(change.frames ?? [])), ...(await outdatedPages(frames))]
            : await build.pagesOn(frames)),
          ...(checksCopies(change) ? stale : []),
        ]),
      ],
    })
  }
  const ofFrames = await build.pagesOn(ofRows.filter((id) => !failedFrames.has(id)))
  const outdated = await outdatedPages([...outdatedFrames].filter((id) => !failedFrames.has(id)))
  const pages = new Set([...ofFrames, ...outdated, ...(isStaleWork ? stale : [])])
  return { pages: [...pages], failedFrames }
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

const NO_CHANGE: Change = { bake: true, touched: [], pages: [] }

/** The frames that show what a change touches. */
export const dependentsOf = (graph: FrameGraph, change: Change): Dependent[] =>
  change.bake ? findDependents(graph, change) : []

/** The ids of the frames that a change wrote and that are baked. */
export const writtenFrames = ({ bake, frame, frames = [] }: Change): string[] =>
  bake ? [...(frame === undefined ? [] : [frame]), ...frames] : []

/** What a row of the kind `outdated` touches. */
function outdatedTouched({ kind, name }: ClaimedWork): Touched[] {
  if (kind !== 'outdated') return []
  if (name.startsWith(DATASET_MARK))
    return [{ kind: 'dataset', name: name.slice(DATASET_MARK.length) }]
  return [{ kind: name as 'menus' | 'pages' | 'languages' | 'settings' }]
}

/** The rows as a change. */
function changeOf(work: readonly ClaimedWork[]): Change {
  const touched = work.flatMap(({ kind, name }): Touched[] => {
    switch (kind) {
      case 'embeds':
        return [{ kind: 'frame', id: name, slugs: [] }]
      case 'dataset':
        return [{ kind, name }]
      case 'menus':
      case 'pages':
      case 'languages':
      case 'settings':
        return [{ kind }]
      default:
        return []
    }
  })
  return { bake: true, touched, all: work.some(({ kind }) => kind === 'all'), pages: [] }
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
