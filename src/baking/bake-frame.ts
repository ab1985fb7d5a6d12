import type { BakeResponse, UnresolvedBind } from '../change.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { FrameGraph, IndexedFrame } from '../frames/graph.ts'
import { bakedOption, recordOption } from '../frames/option-names.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption, readOptionLine } from '../wordpress/options/read-options.ts'
import { lockExistingOptions, writeOptions } from '../wordpress/options/write-options.ts'
import {
  type BakedCopy,
  type BakedLanguage,
  type Closure,
  type CopyHeader,
  createBakedCopy,
  decodeBakedCopy,
  decodeCopyHeader,
  encodeBakedCopy,
  fingerprint,
  isSameClosure,
  languageIn,
  piecesOf,
} from './baked-copy.ts'
import type { BuildBakery } from './bakery/build-bakery.ts'
import { closureFrames, readableFrames } from './closure.ts'
import type { FrameSources } from './frame-sources.ts'
import { dependsOnLanguage, type Needs } from './needs.ts'
import type { Piece } from './pieces.ts'
import type { SiteData } from './site-data.ts'
import type { Values } from './values.ts'

/** All that a bake takes: a site with its frames, what they read, and who does the work. */
export type BakeContext = {
  readonly db: Db
  readonly site: Site
  readonly graph: FrameGraph
  readonly data: SiteData
  readonly sources: FrameSources
  readonly bakery: BuildBakery
}

/** A frame's copy as it should be now; one that was kept without its pieces. */
export type Bake = {
  readonly id: string
  readonly copy: BakedCopy
  /** `kept`: the stored copy is true as it stands. `same`: it was made anew and prints what it printed. */
  readonly outcome: 'kept' | 'same' | 'new'
}

/** A copy in one language, ready to be printed. */
export type PrintableCopy = {
  readonly copy: BakedCopy
  readonly language: BakedLanguage
  readonly pieces: readonly Piece[]
  readonly values: Values
}

/**
 * Makes the copy of a frame with everything it embeds, in every language in which it differs (decisions, section 7), unless
 * the stored one is still true. Nothing is written.
 * @param anew even where the stored one is true: its pieces may be missing or damaged
 * @throws AppError `frame_unreadable` for a damaged record
 */
export async function bakeFrame(
  context: BakeContext,
  id: string,
  { anew = false }: { readonly anew?: boolean } = {},
): Promise<Bake> {
  const { graph, data, sources, bakery } = context
  const closure = closureOf(graph, id)
  const stored = await readHeader(context, id)
  const known = stored && isSameClosure(stored.closure, closure) ? stored : undefined
  if (known && !anew) {
    const inputs = await readLanguageInputs(closure, known.needs, data)
    if (isFresh(known, inputs))
      return { id, copy: { header: known, body: undefined }, outcome: 'kept' }
  }
  const within = closureFrames(graph, id)
  const frames = await bakery.readAhead(sources.of(within, readableFrames(within)))
  const needs = known?.needs ?? (await bakery.inspect(frames)).needs
  const inputs = await readLanguageInputs(closure, needs, data)
  const baked = await bakery.bake(frames, inputs)
  const languages = baked.languages.map((language, index) => ({
    ...language,
    fingerprint: inputs[index]?.print ?? '',
  }))
  const { body, digest, facts } = baked
  const copy = createBakedCopy({ closure, needs, facts, digest, languages }, body)
  return { id, copy, outcome: stored && isSameOutput(stored, copy.header) ? 'same' : 'new' }
}

/** The header of a frame's stored copy, if that is true as it stands. */
export async function findFreshHeader(
  context: BakeContext,
  id: string,
): Promise<CopyHeader | undefined> {
  const stored = await readHeader(context, id)
  return stored && (await isFreshHeader(context, id, stored)) ? stored : undefined
}

/** Is a frame's copy with this header true as it stands? */
export async function isFreshHeader(
  { graph, data }: Pick<BakeContext, 'graph' | 'data'>,
  id: string,
  header: CopyHeader,
): Promise<boolean> {
  const closure = closureOf(graph, id)
  if (!isSameClosure(header.closure, closure)) return false
  return isFresh(header, await readLanguageInputs(closure, header.needs, data))
}

/** The stored copy for pages in a language, if it is there and true in that language. */
export async function findFreshCopy(
  context: BakeContext,
  id: string,
  lang: string | null,
): Promise<PrintableCopy | undefined> {
  const { db, site, graph } = context
  const stored = decodeBakedCopy(await readOption(db, site, bakedOption(id)))
  const closure = closureOf(graph, id)
  if (!stored || !isSameClosure(stored.header.closure, closure)) return undefined
  const printable = await printableCopy(context, stored, lang)
  if (!printable) return undefined
  const { language, values } = printable
  return language.fingerprint === fingerprint(closure, values) ? printable : undefined
}

/** What a copy has for pages in a language; undefined where its pieces are not there, or damaged. */
export async function printableCopy(
  { data }: BakeContext,
  copy: BakedCopy,
  lang: string | null,
): Promise<PrintableCopy | undefined> {
  const { needs } = copy.header
  const language = languageIn(copy.header, lang)
  const pieces = language && piecesOf(copy, language)
  return pieces && { copy, language, pieces, values: await data.values(needs, language.lang) }
}

async function readHeader({ db, site }: BakeContext, id: string): Promise<CopyHeader | undefined> {
  return decodeCopyHeader(await readOptionLine(db, site, bakedOption(id)))
}

function closureOf(graph: FrameGraph, id: string): Closure {
  const frames = closureFrames(graph, id)
  const missing = new Set(
    frames.flatMap(({ meta }) => meta.references).filter((ref) => !graph.registry.find(ref)),
  )
  return {
    frames: frames.map(({ id, slug, meta }) => ({ id, slug, sha256: meta.sha256 })),
    missing: [...missing].sort(),
  }
}

/** What goes into the copy of one language. */
type LanguageInput = {
  readonly lang: string | null
  readonly values: Values
  readonly print: string
}

/** One for each language, or one for all. */
async function readLanguageInputs(
  closure: Closure,
  needs: Needs,
  data: SiteData,
): Promise<LanguageInput[]> {
  const slugs = dependsOnLanguage(needs) ? await data.languageSlugs() : []
  const inputs: LanguageInput[] = []
  for (const lang of slugs.length > 0 ? slugs : [null]) {
    const values = await data.values(needs, lang)
    inputs.push({ lang, values, print: fingerprint(closure, values) })
  }
  return inputs
}

function isFresh({ languages }: CopyHeader, inputs: readonly LanguageInput[]): boolean {
  return (
    languages.length === inputs.length &&
    inputs.every(({ lang, print }, index) => {
      const language = languages[index]
      return language?.lang === lang && language.fingerprint === print
    })
  )
}

function isSameOutput(a: CopyHeader, b: CopyHeader): boolean {
  const languages = (header: CopyHeader) => header.languages.map(({ lang }) => lang).join()
  return a.digest === b.digest && languages(a) === languages(b)
}

/** Stores the baked copies of frames, but of those that were deleted while they were being baked. */
export async function storeCopies(tx: Tx, site: Site, bakes: readonly Bake[]): Promise<void> {
  const records = bakes.map(({ id }) => recordOption(id))
  const present = await lockExistingOptions(tx, site, records)
  const options = bakes
    .filter(({ id }) => present.has(recordOption(id)))
    .map(({ id, copy }) => ({ name: bakedOption(id), value: encodeBakedCopy(copy) }))
  await writeOptions(tx, site, options, 'off')
}

type Described = Omit<BakeResponse, 'published' | 'pages' | 'renders_on_request' | 'default_lang'>

/** What a bake of a frame came to, publication aside (contract, section 2.3). */
export function describeBake({ id, meta }: IndexedFrame, { copy, outcome }: Bake): Described {
  const { closure, facts, hasBody, languages } = copy.header
  const sum = (count: (language: BakedLanguage) => number): number =>
    languages.reduce((total, language) => total + count(language), 0)
  return {
    baked: outcome !== 'kept',
    frame_id: id,
    bytes: sum(({ bytes }) => bytes),
    source_bytes: meta.bytes,
    baked_option: bakedOption(id),
    lang: languages.flatMap(({ lang }) => lang ?? []),
    blocks: sum(({ blocks }) => blocks),
    inserts: Object.values(meta.inserts).reduce((total, count) => total + count, 0),
    unknown_inserts: facts.unknown_inserts,
    binds: meta.binds,
    bind_tags: facts.bind_tags,
    repeats: facts.repeats,
    frames: closure.frames.slice(1).map(({ slug }) => slug),
    unresolved: unresolvedIn(languages),
    warnings: [
      ...new Set(languages.flatMap(({ warnings }) => warnings)),
      ...(hasBody ? [] : [COPY_TOO_LARGE]),
    ],
  }
}

const COPY_TOO_LARGE =
  'The baked copy is too large to be stored, so every page on this frame is built anew when it is asked for.'

/** Those of all languages, each once. */
function unresolvedIn(languages: readonly BakedLanguage[]): UnresolvedBind[] {
  const found = new Map<string, UnresolvedBind>()
  for (const entry of languages.flatMap(({ unresolved }) => unresolved)) {
    found.set(JSON.stringify(entry), entry)
  }
  return [...found.values()]
}
