import type { Db } from '../db/database.ts'
import type { FrameGraph, IndexedFrame } from '../frames/graph.ts'
import { bakedOption } from '../frames/option-names.ts'
import { readFrames } from '../frames/read-frame.ts'
import { scan } from '../markup/scan.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-option.ts'
import {
  type BakedCopy,
  type BakedLanguage,
  type Closure,
  decodeBakedCopy,
  fingerprint,
  isSameClosure,
} from './baked-copy.ts'
import { compile } from './compile.ts'
import { collectNeeds, dependsOnLanguage, type Needs } from './needs.ts'
import { PieceWriter } from './piece-writer.ts'
import type { Program } from './program.ts'
import type { CompiledFrame } from './run.ts'
import type { SiteData } from './site-data.ts'
import { startRun } from './start-run.ts'
import type { Values } from './values.ts'

/** A frame's copy as it should be now. */
export type Bake = {
  readonly copy: Omit<BakedCopy, 'format'>
  /** False where the stored copy is true as it stands. */
  readonly changed: boolean
}

/**
 * Makes the copy of a frame with everything it embeds, in every language in which it differs (decisions, section 7).
 * What is stored already and still true is taken from there. Nothing is written.
 */
export async function bakeFrame(
  db: Db,
  site: Site,
  graph: FrameGraph,
  id: string,
  data: SiteData,
): Promise<Bake> {
  const closure = closureOf(graph, id)
  const stored = decodeBakedCopy(await readOption(db, site, bakedOption(id)))
  const known = stored && isSameClosure(stored.closure, closure) ? stored : undefined
  let compiled: Promise<Map<string, CompiledFrame>> | undefined
  const compileOnce = () => {
    compiled ??= compileFrames(db, site, closure)
    return compiled
  }
  const needs = known?.needs ?? collectNeeds(programsOf(await compileOnce()))
  const languages: Record<string, BakedLanguage> = {}
  for (const lang of await languagesOf(needs, data)) {
    const values = await data.values(needs, lang)
    const print = fingerprint(closure, values)
    const held = known?.languages[lang ?? '']
    languages[lang ?? ''] =
      held?.fingerprint === print
        ? held
        : { fingerprint: print, ...bakeLanguage(id, await compileOnce(), values) }
  }
  return { copy: { closure, needs, languages }, changed: compiled !== undefined }
}

const programsOf = (frames: ReadonlyMap<string, CompiledFrame>): Program[] =>
  [...frames.values()].map(({ program }) => program)

/** The frame and all that it embeds. */
export function closureOf(graph: FrameGraph, id: string): Closure {
  const root = graph.get(id)
  const frames: IndexedFrame[] = [...(root ? [root] : []), ...graph.embeddedIn(id)]
  const missing = new Set(
    frames.flatMap(({ meta }) => meta.references).filter((ref) => !graph.registry.find(ref)),
  )
  return {
    frames: frames.map(({ id, slug, meta }) => ({ id, slug, sha256: meta.sha256 })),
    missing: [...missing].sort(),
  }
}

/** Reads and compiles the frames of a closure, by id and by slug. */
export async function compileFrames(
  db: Db,
  site: Site,
  closure: Closure,
): Promise<Map<string, CompiledFrame>> {
  const frames = new Map<string, CompiledFrame>()
  for (const { id, record } of await readFrames(db, site, closure.frames)) {
    const frame = { id, slug: record.slug, program: compile(scan(record.html)) }
    frames.set(id, frame)
  }
  return frames
}

/** One copy for each language, or one for all. */
async function languagesOf(needs: Needs, data: SiteData): Promise<(string | null)[]> {
  const slugs = dependsOnLanguage(needs) ? await data.languageSlugs() : []
  return slugs.length > 0 ? slugs : [null]
}

function bakeLanguage(
  id: string,
  frames: ReadonlyMap<string, CompiledFrame>,
  values: Values,
): Omit<BakedLanguage, 'fingerprint'> {
  const started = startRun({ values, page: undefined, findFrame: finder(frames) })
  const { run } = started
  const out = new PieceWriter(run.budget)
  const root = frames.get(id)
  if (root) {
    run.stack.push(id)
    run.evaluate(root.program, { frame: root.slug, props: {} }, out)
  }
  return { pieces: out.pieces(), unresolved: started.unresolved, warnings: started.warnings }
}

/** Finds frames by id, then by slug, as the registry does. */
export function finder(
  frames: ReadonlyMap<string, CompiledFrame>,
): (ref: string) => CompiledFrame | undefined {
  const bySlug = new Map([...frames.values()].map((frame) => [frame.slug, frame]))
  return (ref) => frames.get(ref) ?? bySlug.get(ref)
}
