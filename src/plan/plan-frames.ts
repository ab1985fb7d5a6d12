import type { Db } from '../db/database.ts'
import { inBatches } from '../db/sql.ts'
import type { DesiredFrame, DesiredSite } from '../description/desired-site.ts'
import { AppError } from '../errors.ts'
import type { FrameProblem } from '../frames/find-problems.ts'
import { assertReferencesAgree, parseNewMarkup } from '../frames/frame-markup.ts'
import type { FrameGraph } from '../frames/graph.ts'
import { recordOption } from '../frames/option-names.ts'
import { decodeRecordOrEmpty } from '../frames/record.ts'
import type { FrameName, Registry } from '../frames/registry.ts'
import { assertFits, rewriteEmbedders } from '../frames/rename-frame.ts'
import { parseSlug } from '../frames/slug.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-options.ts'
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
  const { matched, deletions } = matchFrames(registry, desired)
  if (matched.length + deletions.length > 0) {
    await planning.readDigests([...matched.flatMap(({ current }) => current ?? []), ...deletions])
    for (const match of matched) await planning.compare(match)
    // With `manages: all`, embedders that are not described are deleted.
    if (desired.manages === 'named') await planning.rewriteEmbedders(matched)
    for (const frame of deletions) planning.delete(frame)
    await planning.addDiffs()
  }
  const { writes, problems } = planning
  // A folder that was pulled knows the ids of its frames.
  const suspects = desired.removedFrames ? [] : planning.findFormerNames(matched)
  return { registry, graph, writes, deletions, steps: planning.steps(), problems, suspects }
}

type Match = { readonly wanted: DesiredFrame; readonly current: FrameName | undefined }

/** Finds the frame that each desired one is now: the one with its slug, else with one of its former slugs. */
function matchFrames(
  registry: Registry,
  { frames, manages, removedFrames = [] }: DesiredFrames,
): { readonly matched: readonly Match[]; readonly deletions: readonly FrameName[] } {
  const bySlug = new Map(registry.all().map((frame) => [frame.slug, frame]))
  const slugs = new Set(frames.map(({ slug }) => slug))
  const claimed = new Set<string>()
  const matched = frames.map((wanted): Match => {
    const former = wanted.formerly.find((slug) => bySlug.has(slug) && !slugs.has(slug))
    const current = bySlug.get(wanted.slug) ?? bySlug.get(former ?? '')
    if (!current || claimed.has(current.id)) return { wanted, current: undefined }
    claimed.add(current.id)
    return { wanted, current }
  })
  const removed = new Set(removedFrames)
  const others = registry.all().filter(({ id }) => !claimed.has(id))
  const deletions = others.filter(({ slug }) => manages === 'all' || removed.has(slug))
  return { matched, deletions }
}

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

  async compare({ wanted, current }: Match): Promise<void> {
    const { slug, html } = wanted
    const { markup } = this.#context
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
    return this.writes.flatMap(({ current, slug, html }) => {
      const former = others.get(this.#context.markup.digest(html))
      if (current || former === undefined || html.trim() === '') return []
      const message = `It has the markup of "${former}", which is not described. If that frame was renamed, add "formerly: [${former}]" to the entry of this one.`
      return [
        {
          frame: slug,
          id: `new ${slug}`,
          severity: 'warning',
          code: 'former_name',
          location: null,
          message,
        },
      ]
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
      ...(isRenamed ? { from: current.slug } : {}),
      ...(current ? { ref: current.id } : {}),
    })
  }

  #addProblem(name: string, error: unknown): void {
    if (!(error instanceof AppError)) throw error
    const { code, message } = error
    this.problems.push({ kind: 'frame', name, reason: code, message })
  }

  async #forEachMarkup(
    frames: readonly FrameName[],
    work: (id: string, html: string) => void | Promise<void>,
  ): Promise<void> {
    for (const batch of inBatches(frames, BATCH_SIZE)) {
      const options = batch.map(({ id }) => recordOption(id))
      const records = await readOptions(this.#db, this.#site, options)
      for (const { id, slug } of batch) {
        const text = records.get(recordOption(id))
        if (text !== undefined) await work(id, decodeRecordOrEmpty(text, id, slug).html)
      }
    }
  }
}
