import type { FrameGraph, IndexedFrame } from '../../content/frames/graph.ts'
import { bakedOption, recordOption } from '../../content/frames/option-names.ts'
import { dependsOnLanguage, type Needs } from '../../content/markup/evaluation/needs.ts'
import type { Values } from '../../content/markup/evaluation/values.ts'
import type { Database, Db } from '../../db/database.ts'
import type { Tx, WriteOptions } from '../../db/transaction.ts'
import { inTimeSlice } from '../../host/concurrency/time-slices.ts'
import type { BakeResponse, UnresolvedBind } from '../../host/effects.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOptionLine, readOptionLineEnds } from '../../wordpress/options/read-options.ts'
import {
  assertOptionsExist,
  lockExistingOptions,
  type OptionValue,
  writeOptionOf,
  writeOptions,
} from '../../wordpress/options/write-options.ts'
import {
  type BakedCopy,
  type BakedLanguage,
  BEFORE_VERSIONS,
  type CopyHeader,
  type CopyVersions,
  createBakedCopy,
  decodeCopyHeader,
  decodeCopyVersions,
  encodeBakedCopy,
  fingerprint,
} from './baked-copy.ts'
import type { BuildBakery } from './bakery/build-bakery.ts'
import { type Closure, closureFrames, closureOf, isSameClosure, readableFrames } from './closure.ts'
import type { FrameSources } from './frame-sources.ts'
import type { SiteData } from './site-data.ts'

/** The dependencies of a bake: the site, its frames, their data and markup, and the bakery. */
export type BakeContext = {
  readonly db: Db
  readonly site: Site
  readonly graph: FrameGraph
  readonly data: SiteData
  readonly sources: FrameSources
  readonly bakery: BuildBakery
  /** The version of the site, which is at most that of what is read [unknown] */
  readonly version?: number | undefined
}

/** The fresh copy of a frame. A cached copy has no pieces. */
export type Bake = {
  readonly id: string
  readonly copy: BakedCopy
  /** `cached`: the stored copy is fresh. `unchanged`: the frame was baked again, with the same output. `changed`: with another output. */
  readonly outcome: 'cached' | 'unchanged' | 'changed'
}

export type BakeChoice = {
  /** Bakes even if the stored copy is fresh: its pieces may be missing or damaged. */
  readonly force?: boolean
  /** The stored copy is probably stale: the markup is read with it, as far as it is small. */
  readonly isProbablyStale?: boolean
  /** The stored copy is stale: it is not read. */
  readonly isStale?: boolean
  /** The copies are stored by `SiteBuild.storeBaked`, if they are small. */
  readonly isStoredLater?: boolean
}

/**
 * Bakes a frame with all frames it embeds, for each language in which the output differs, unless the stored copy is
 * fresh. Writes nothing.
 * @throws AppError `frame_unreadable` if a record is damaged
 */
export async function rebakeFrame(
  context: BakeContext,
  id: string,
  { force = false, isStale = false, isProbablyStale = isStale }: BakeChoice = {},
): Promise<Bake> {
  const { graph, data, sources, bakery } = context
  // Builds of many frames start together.
  const closure = await inTimeSlice(() => closureOf(graph, id))
  const within = closureFrames(graph, id)
  const readMarkup = () => bakery.readAhead(sources.of(within, readableFrames(within)))
  const markup = isProbablyStale ? readMarkup() : undefined
  // It is awaited only if the copy is stale.
  markup?.catch(() => {})
  const stored = isStale ? undefined : await readHeader(context, id)
  const known = stored && isSameClosure(stored.closure, closure) ? stored : undefined
  if (known && !force) {
    const inputs = await readLanguageInputs(closure, known.needs, data)
    if (isFresh(known, inputs))
      return { id, copy: { header: known, body: undefined }, outcome: 'cached' }
  }
  const frames = await (markup ?? readMarkup())
  const needs = known?.needs ?? (await bakery.inspect(frames)).needs
  const inputs = await readLanguageInputs(closure, needs, data)
  const baked = await bakery.bake(frames, inputs)
  const languages = baked.languages.map((language, index) => ({
    ...language,
    fingerprint: inputs[index]?.fingerprint ?? '',
  }))
  const { body, digest, facts } = baked
  const { version } = context
  const isSame = stored !== undefined && isSameOutput(stored, { digest, languages })
  const versions = { baked: version, changed: isSame ? stored.changed : version }
  const copy = createBakedCopy({ closure, needs, facts, digest, languages, ...versions }, body)
  return { id, copy, outcome: isSame ? 'unchanged' : 'changed' }
}

/** The header of a frame's stored copy, if the copy is fresh. */
export async function findFreshHeader(
  context: BakeContext,
  id: string,
): Promise<CopyHeader | undefined> {
  const stored = await readHeader(context, id)
  return stored && (await isFreshHeader(context, id, stored)) ? stored : undefined
}

/** Whether a copy with this header is fresh. */
export async function isFreshHeader(
  { graph, data }: Pick<BakeContext, 'graph' | 'data'>,
  id: string,
  header: CopyHeader,
): Promise<boolean> {
  const closure = closureOf(graph, id)
  if (!isSameClosure(header.closure, closure)) return false
  return isFresh(header, await readLanguageInputs(closure, header.needs, data))
}

/** The header of a frame's stored copy, fresh or not. */
export async function readHeader(
  { db, site }: Pick<BakeContext, 'db' | 'site'>,
  id: string,
): Promise<CopyHeader | undefined> {
  return decodeCopyHeader(await readOptionLine(db, site, bakedOption(id)))
}

/** The versions of the stored copies of frames, by frame id: some bytes of each, where a header may have kilobytes. */
export async function readCopyVersions(
  { db, site }: Pick<BakeContext, 'db' | 'site'>,
  ids: readonly string[],
): Promise<Map<string, CopyVersions>> {
  const ends = await readOptionLineEnds(db, site, ids.map(bakedOption), BEFORE_VERSIONS)
  const versions = ids.flatMap((id) => {
    const stored = decodeCopyVersions(ends.get(bakedOption(id)) ?? '')
    return stored ? [[id, stored] as const] : []
  })
  return new Map(versions)
}

/** The inputs of the copy in one language, besides the markup. */
type LanguageInput = {
  readonly lang: string | null
  readonly values: Values
  readonly fingerprint: string
}

/** The inputs for each language, or for all languages together if the output does not depend on the language. */
async function readLanguageInputs(
  closure: Closure,
  needs: Needs,
  data: SiteData,
): Promise<LanguageInput[]> {
  const differs = dependsOnLanguage(needs) || (await data.isTranslated(needs))
  const slugs = differs ? await data.languageSlugs() : []
  const inputs: LanguageInput[] = []
  for (const lang of slugs.length > 0 ? slugs : [null]) {
    const values = await data.values(needs, lang)
    inputs.push({ lang, values, fingerprint: fingerprint(closure, data.digestOf(values)) })
  }
  return inputs
}

function isFresh({ languages }: CopyHeader, inputs: readonly LanguageInput[]): boolean {
  return (
    languages.length === inputs.length &&
    inputs.every((input, index) => {
      const language = languages[index]
      return language?.lang === input.lang && language.fingerprint === input.fingerprint
    })
  )
}

/** What has become of a copy since a version of the site. */
export function outcomeSince(
  version: number,
  { baked = 0, changed = 0 }: CopyVersions,
): Bake['outcome'] {
  if (baked < version) return 'cached'
  return changed < version ? 'unchanged' : 'changed'
}

type Output = Pick<CopyHeader, 'digest'> & {
  readonly languages: readonly Pick<BakedLanguage, 'lang'>[]
}

function isSameOutput(a: Output, b: Output): boolean {
  const languages = (header: Output) => header.languages.map(({ lang }) => lang).join()
  return a.digest === b.digest && languages(a) === languages(b)
}

/** A frame was deleted after it was baked. */
class DeletedFrameError extends Error {}

/**
 * Stores baked copies, except those of frames that were deleted since they were baked. Most writes bake one frame, so a single copy takes one
 * statement and no transaction around it.
 */
export async function storeCopies(
  db: Database,
  { site, isWork }: Pick<WriteOptions, 'isWork'> & { readonly site: Site },
  bakes: readonly Bake[],
): Promise<void> {
  const options = { site, isWork, storesCopies: true }
  const [bake] = bakes
  if (!bake) return
  if (bakes.length === 1)
    return db.write({ ...options, isStatement: true }, (tx) => storeCopy(tx, site, bake))
  await storeCopiesWith((store) => db.write(options, store), site, bakes)
}

/**
 * Stores baked copies in a transaction of the caller, except those of frames that were deleted since they were baked.
 * @param write runs a transaction that stores them; is called again without those of deleted frames
 */
export async function storeCopiesWith(
  write: (store: (tx: Tx) => void | Promise<void>) => Promise<void>,
  site: Site,
  bakes: readonly Bake[],
): Promise<void> {
  try {
    await write((tx) => storeAll(tx, site, bakes))
  } catch (error) {
    if (!(error instanceof DeletedFrameError)) throw error
    await write((tx) => storePresent(tx, site, bakes))
  }
}

function storeCopy(tx: Tx, site: Site, bake: Bake): Promise<void> {
  return writeOptionOf(tx, site, recordOption(bake.id), optionOf(bake), 'off')
}

/** Stores copies of frames that this transaction writes, together with its other rows. */
export function storeWithWrite(tx: Tx, site: Site, bakes: readonly Bake[]): void {
  writeOptions(tx, site, bakes.map(optionOf), 'off')
}

/** In one packet. @throws DeletedFrameError */
function storeAll(tx: Tx, site: Site, bakes: readonly Bake[]): void {
  const records = bakes.map(({ id }) => recordOption(id))
  assertOptionsExist(tx, site, records, () => new DeletedFrameError())
  storeWithWrite(tx, site, bakes)
}

async function storePresent(tx: Tx, site: Site, bakes: readonly Bake[]): Promise<void> {
  const records = bakes.map(({ id }) => recordOption(id))
  const present = await lockExistingOptions(tx, site, records)
  const stored = bakes.filter(({ id }) => present.has(recordOption(id)))
  storeWithWrite(tx, site, stored)
}

const optionOf = ({ id, copy }: Bake): OptionValue => ({
  name: bakedOption(id),
  value: encodeBakedCopy(copy),
})

/** The report of a bake, without the fields on publication. */
export function describeBake(
  { id, meta }: IndexedFrame,
  { copy, outcome }: Bake,
): Omit<BakeResponse, 'published' | 'pages' | 'renders_on_request' | 'default_lang'> {
  const { closure, facts, hasBody, languages } = copy.header
  const sum = (count: (language: BakedLanguage) => number): number =>
    languages.reduce((total, language) => total + count(language), 0)
  return {
    baked: outcome !== 'cached',
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
  'The baked copy is too large to store, so every page that uses this frame is built on each request.'

/** The unresolved binds of all languages, without duplicates. */
function unresolvedIn(languages: readonly BakedLanguage[]): UnresolvedBind[] {
  const found = new Map<string, UnresolvedBind>()
  for (const entry of languages.flatMap(({ unresolved }) => unresolved)) {
    found.set(JSON.stringify(entry), entry)
  }
  return [...found.values()]
}
