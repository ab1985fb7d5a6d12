import { type FrameProblem, frameProblem } from '../../content/frames/find-problems.ts'
import { assertReferencesAgree, parseNewMarkup } from '../../content/frames/frame-markup.ts'
import type { FrameGraph } from '../../content/frames/graph.ts'
import { decodeRecordOrEmpty } from '../../content/frames/record.ts'
import { type FrameName, type Registry, readRecordTexts } from '../../content/frames/registry.ts'
import { assertFits, rewriteEmbedders } from '../../content/frames/rename-frame.ts'
import { parseSlug } from '../../content/frames/slug.ts'
import type { Db } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import { AppError } from '../../host/errors.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { DesiredFrame, DesiredSite, RemovedFrame } from '../description/desired-site.ts'
import type { PlanContext } from './plan-context.ts'
import { readSiteFrames, type SiteFrames } from './site-frames.ts'
import type { PlanProblem, Step } from './site-plan.ts'

/** A frame to write: a new one, or one with this id. */
type FrameWrite = {
  /** The frame before; undefined for a new one. */
  readonly current: FrameName | undefined
  readonly slug: string
  readonly html: string
}

/** The registry and the graph are those before the plan. */
export type PlannedFrames = Pick<SiteFrames, 'registry' | 'graph'> & {
  readonly writes: readonly FrameWrite[]
  readonly deletions: readonly FrameName[]
  readonly steps: readonly Step[]
  readonly problems: readonly PlanProblem[]
  /** New frames that may be others under a new name. */
  readonly suspects: readonly FrameProblem[]
}

/** Records whose markup is in memory at a time. */
const BATCH_SIZE = 50

type DesiredFrames = Pick<DesiredSite, 'frames' | 'manages' | 'removedFrames'>

/**
 * Compares the frames of a site with the desired ones.
 * @param locked the graph, if the caller has locked the frames
 */
export async function planFrames(
  db: Db,
  site: Site,
  desired: DesiredFrames,
  context: PlanContext,
  locked?: FrameGraph,
): Promise<PlannedFrames> {
  const { manages, removedFrames = [] } = desired
  const isCompared = desired.frames.length + removedFrames.length > 0 || manages === 'all'
  const frames = await readSiteFrames(db, site, isCompared, locked)
  const { registry, graph } = frames
  const planning = new FramePlanning(db, site, frames, context)
  const { matched, removed, deletions } = matchFrames(registry, desired)
  if (matched.length + deletions.length > 0) {
    await planning.readDigests([...matched.flatMap(({ current }) => current ?? []), ...deletions])
    await planning.readSeen([...matched, ...removed])
    for (const match of matched) await planning.compare(match)
    // With `manages: all`, embedders that are not described are deleted.
    if (desired.manages === 'named') await planning.rewriteEmbedders(matched)
    for (const one of removed) await planning.assertUnchanged(one)
    for (const frame of deletions) planning.delete(frame)
    await planning.addDiffs()
  }
  const { writes, problems } = planning
  const suspects = planning.findFormerNames(matched)
  return { registry, graph, writes, deletions, steps: planning.steps(), problems, suspects }
}

type Match<Wanted = DesiredFrame> = {
  readonly wanted: Wanted
  readonly current: FrameName | undefined
}

type MatchedFrames = {
  readonly matched: readonly Match[]
  /** The described ones of `deletions`. */
  readonly removed: readonly Match<RemovedFrame>[]
  readonly deletions: readonly FrameName[]
}

/** Finds the frame that each desired one is now: the one with its id, else with its slug, else with one of its former slugs. */
function matchFrames(
  registry: Registry,
  { frames, manages, removedFrames = [] }: DesiredFrames,
): MatchedFrames {
  const all = registry.all()
  const byId = new Map(all.map((frame) => [frame.id, frame]))
  const bySlug = new Map(all.map((frame) => [frame.slug, frame]))
  const slugs = new Set(frames.map(({ slug }) => slug))
  const named = new Set(frames.flatMap(({ id }) => id ?? []))
  const claimed = new Set<string>()
  const matched = frames.map((wanted): Match => {
    const { id = '', formerly } = wanted
    const known = byId.get(id)
    const former = formerly.find((slug) => bySlug.has(slug) && !slugs.has(slug))
    const holder = bySlug.get(wanted.slug) ?? (wanted.id ? undefined : bySlug.get(former ?? ''))
    const current = known ?? (named.has(holder?.id ?? '') ? undefined : holder)
    if (!current || claimed.has(current.id)) return { wanted, current: undefined }
    claimed.add(current.id)
    const keepsSlug = known !== undefined && formerly.length === 0
    return { wanted: keepsSlug ? { ...wanted, slug: known.slug } : wanted, current }
  })
  const removed = removedFrames.flatMap((wanted): Match<RemovedFrame>[] => {
    const current = wanted.id ? byId.get(wanted.id) : bySlug.get(wanted.slug)
    return current && !claimed.has(current.id) ? [{ wanted, current }] : []
  })
  const isRemoved = new Set(removed.flatMap(({ current }) => current?.id ?? []))
  const deletions = all.filter(
    ({ id }) => !claimed.has(id) && (manages === 'all' || isRemoved.has(id)),
  )
  return { matched, removed, deletions }
}

/** The reason of a problem with a frame that has changed since it was seen. */
const CONFLICT = 'conflict'

class FramePlanning {
  readonly writes: FrameWrite[] = []
  readonly problems: PlanProblem[] = []
  readonly #steps: Step[] = []
  readonly #db: Db
  readonly #site: Site
  readonly #frames: SiteFrames
  readonly #context: PlanContext
  /** The digest of the markup of each frame, by id. A frame that has lost its record has none; one in another format may have none. */
  readonly #digests = new Map<string, string>()
  /** SHA-256 of the markup of the frames that somebody has seen, by id. */
  readonly #seen = new Map<string, string>()

  constructor(db: Db, site: Site, frames: SiteFrames, context: PlanContext) {
    this.#db = db
    this.#site = site
    this.#frames = frames
    this.#context = context
  }

  steps(): readonly Step[] {
    return this.#steps
  }

  async readDigests(frames: readonly FrameName[]): Promise<void> {
    const { digests } = this.#frames
    const inOtherFormats = frames.filter(({ id }) => digests.get(id) === null)
    for (const [id, digest] of digests) if (digest !== null) this.#digests.set(id, digest)
    await this.#forEachMarkup(inOtherFormats, (id, html) => {
      this.#digests.set(id, this.#context.markup.digest(html))
    })
  }

  /** Reads the markup that the author of the description may have seen. */
  async readSeen(matches: readonly Match<DesiredFrame | RemovedFrame>[]): Promise<void> {
    const compared = matches.flatMap(({ wanted, current }) =>
      wanted.before === undefined ? [] : (current ?? []),
    )
    await this.#forEachMarkup(compared, (id, html) => void this.#seen.set(id, sha256Hex(html)))
  }

  async compare(match: Match): Promise<void> {
    const { wanted, current } = match
    const { slug, html } = wanted
    const { markup } = this.#context
    const holder = this.#frames.registry.all().find((frame) => frame.slug === slug)
    if (holder && holder.id !== current?.id)
      return this.#refuse(slug, 'slug_taken', `The site has another frame "${slug}".`)
    // Its author has renamed it, and the site has the name already.
    if (current?.slug === slug && wanted.before === sha256Hex(html)) return
    if (!(await this.assertUnchanged(match, html))) return
    try {
      // A slug that an older endpoint wrote may be invalid.
      const name = current?.slug === slug ? slug : parseSlug(slug)
      const after = markup.digest(html)
      const before = current && this.#digests.get(current.id)
      if (current?.slug === slug && before === after) return
      const stored = { slug: name, html: before === after ? html : parseNewMarkup(html) }
      const { aliases } = await markup.analyze(html)
      assertReferencesAgree(aliases, this.#frames.registry)
      this.#write({ current, ...stored }, before ?? null, after)
    } catch (error) {
      this.#addProblem(slug, error)
    }
  }

  /**
   * Reports a problem with a frame that is not as the author of the description has seen it.
   * @param html the described markup, which the site may have already
   */
  async assertUnchanged(
    { wanted, current }: Match<DesiredFrame | RemovedFrame>,
    html?: string,
  ): Promise<boolean> {
    const { slug, id, before } = wanted
    const digest = current ? this.#seen.get(current.id) : null
    const conflict = (message: string): false => {
      this.#refuse(slug, CONFLICT, message)
      return false
    }
    if (before === undefined) return true
    const isReached = html !== undefined && digest === sha256Hex(html)
    const seen = 'formerly' in wanted ? wanted.formerly : []
    if (id && current?.id === id && seen.length > 0 && ![slug, ...seen].includes(current.slug))
      return conflict(`"${seen[0]}" was renamed to "${current.slug}" on the site.`)
    if (digest === before || isReached) return true
    if (before === null) return conflict('The site has a frame with this slug that was not seen.')
    if (!current || (id !== undefined && current.id !== id))
      return conflict('It was deleted on the site since it was seen.')
    const changed = await this.#lastChangeOf(current)
    return conflict(`It was changed on the site since it was seen, ${changed}.`)
  }

  /** The last change for a message: `by user 3 at 2026-01-02 03:04:05 GMT`. */
  async #lastChangeOf({ id }: FrameName): Promise<string> {
    const meta = (await this.#frames.graph()).get(id)?.meta
    return meta
      ? `by user ${meta.updated_by} at ${meta.updated_at_gmt} GMT`
      : 'and its record is unreadable'
  }

  /** A frame that is not described, but embeds a renamed one by its slug, embeds it by the new slug. */
  async rewriteEmbedders(matched: readonly Match[]): Promise<void> {
    const renames = matched.flatMap(({ wanted: { slug }, current }) =>
      current && current.slug !== slug ? [{ before: current, slug }] : [],
    )
    if (renames.length === 0) return
    const described = new Set(matched.flatMap(({ current }) => current?.id ?? []))
    const { markup } = this.#context
    const graph = await this.#frames.graph()
    try {
      const rewritten = rewriteEmbedders(this.#db, this.#site, graph, renames, markup, described)
      for await (const batch of rewritten)
        for (const { id, before, html } of batch) {
          const { slug } = before
          assertFits({ id, slug, html }, before.html)
          const write = { current: { id, slug }, slug, html }
          this.#write(write, markup.digest(before.html), markup.digest(html))
        }
    } catch (error) {
      const { id } = error instanceof AppError ? error.fields : {}
      this.#addProblem(graph.get(String(id))?.slug ?? '', error)
    }
  }

  delete({ id, slug }: FrameName): void {
    const before = this.#digests.get(id) ?? null
    this.#steps.push({ kind: 'frame', name: slug, action: 'deleted', before, after: null, ref: id })
  }

  /** Reads the markup of those changed frames whose diff is not known from another site. */
  async addDiffs(): Promise<void> {
    const { diffs } = this.#context
    if (!diffs) return
    const after = new Map(this.writes.map(({ slug, html }) => [slug, html]))
    const unknown = this.#steps.filter(
      ({ before, after }) => diffs.find(before, after) === undefined,
    )
    const add = async ({ name, before, after: digest }: Step, html: string): Promise<void> => {
      const content = digest === null ? '' : (after.get(name) ?? '')
      await diffs.compare('frame', { before, after: digest }, html, content)
    }
    const existing = new Map(unknown.flatMap((step) => (step.ref ? [[step.ref, step]] : [])))
    for (const step of unknown) if (step.ref === undefined) await add(step, '')
    const names = [...existing].map(([id, { from, name }]) => ({ id, slug: from ?? name }))
    await this.#forEachMarkup(names, async (id, html) => {
      const step = existing.get(id)
      if (step) await add(step, html)
    })
    for (const [index, step] of this.#steps.entries())
      this.#steps[index] = { ...step, diff: diffs.find(step.before, step.after) }
  }

  /**
   * New frames with the markup of a frame that is not described: if its file was renamed, the frame loses its id and its pages.
   */
  findFormerNames(matched: readonly Match[]): FrameProblem[] {
    const described = new Set(matched.flatMap(({ current }) => current?.id ?? []))
    const others = new Map<string, string>()
    for (const { id, slug } of this.#frames.registry.all()) {
      const digest = described.has(id) ? undefined : this.#digests.get(id)
      if (digest !== undefined && !others.has(digest)) others.set(digest, slug)
    }
    // Who has seen that there is no such frame knows the names of the others.
    const isSeen = new Set(matched.map(({ wanted }) => wanted.before !== undefined && wanted.slug))
    return this.writes.flatMap(({ current, slug, html }) => {
      const former = others.get(this.#context.markup.digest(html))
      if (current || isSeen.has(slug) || former === undefined || html.trim() === '') return []
      const message = `It has the markup of "${former}", which is not described. If that frame was renamed, add "formerly: [${former}]" to the entry of this one.`
      return frameProblem({ id: `new ${slug}`, slug }, 'former_name', message)
    })
  }

  #write(write: FrameWrite, before: string | null, after: string): void {
    const { current, slug } = write
    const isRenamed = current !== undefined && current.slug !== slug
    this.writes.push(write)
    this.#steps.push({
      kind: 'frame',
      name: slug,
      before,
      after,
      action: current ? (isRenamed ? 'renamed' : 'replaced') : 'created',
      from: isRenamed ? current.slug : undefined,
      ref: current?.id,
    })
  }

  #addProblem(name: string, error: unknown): void {
    if (!(error instanceof AppError)) throw error
    this.#refuse(name, error.code, error.message)
  }

  #refuse(name: string, reason: string, message: string): void {
    this.problems.push({ kind: 'frame', name, reason, message })
  }

  async #forEachMarkup(
    frames: readonly FrameName[],
    work: (id: string, html: string) => void | Promise<void>,
  ): Promise<void> {
    for (const batch of inBatches(frames, BATCH_SIZE)) {
      const slugs = new Map(batch.map(({ id, slug }) => [id, slug]))
      const records = await readRecordTexts(this.#db, this.#site, [...slugs.keys()])
      for (const [id, text] of records)
        await work(id, decodeRecordOrEmpty(text, id, slugs.get(id) ?? id).html)
    }
  }
}
