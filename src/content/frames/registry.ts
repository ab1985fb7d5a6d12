import { encodePhp, SerializedError } from '#php-serialized'
import type { Db } from '../../db/database.ts'
import { escapeLike, inBatches, readRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../host/errors.ts'
import { didYouMean } from '../../host/similar.ts'
import { selectFromSites } from '../../wordpress/network/select-from-sites.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption, readOptions } from '../../wordpress/options/read-options.ts'
import { readOptionsOfSites } from '../../wordpress/options/read-options-of-sites.ts'
import { lockOrCreateOption } from '../../wordpress/options/write-options.ts'
import { unserialize } from '../../wordpress/stored-value.ts'
import { normalizeSlug } from '../markup/insert-references.ts'
import { REGISTRY_OPTION, recordOption, VERSION_OPTION } from './option-names.ts'
import {
  type RecordEnds,
  type RecordNames,
  readRecordNames,
  readRecordNamesFromEnds,
} from './record.ts'
import { findSlug } from './slug.ts'

/** The id and the slug of a frame. */
export type FrameName = { readonly id: string; readonly slug: string }

/** The ids and slugs of all frames of a site. */
export class Registry {
  readonly #slugs: ReadonlyMap<string, string>
  readonly #bySlug: ReadonlyMap<string, FrameName>
  #sorted: readonly FrameName[] | undefined

  constructor(slugs: ReadonlyMap<string, string>) {
    this.#slugs = slugs
    this.#bySlug = new Map([...slugs].map(([id, slug]) => [slug, { id, slug }]))
  }

  get size(): number {
    return this.#slugs.size
  }

  /** All frames, by slug. */
  get bySlug(): ReadonlyMap<string, FrameName> {
    return this.#bySlug
  }

  /** A copy with these frames added or renamed, and those ids removed; this one if nothing differs. */
  with(written: readonly FrameName[], removed: readonly string[]): Registry {
    const isSame =
      removed.length === 0 && written.every(({ id, slug }) => this.#slugs.get(id) === slug)
    if (isSame) return this
    const slugs = new Map(this.#slugs)
    for (const { id, slug } of written) slugs.set(id, slug)
    for (const id of removed) slugs.delete(id)
    return new Registry(slugs)
  }

  /** All frames, sorted by slug. */
  all(): readonly FrameName[] {
    this.#sorted ??= [...this.#slugs]
      .map(([id, slug]) => ({ id, slug }))
      .sort((a, b) => (a.slug < b.slug ? -1 : Number(a.slug > b.slug)))
    return this.#sorted
  }

  /** The frame with this id or slug, ignoring case. Ids take precedence. */
  find(ref: string): FrameName | undefined {
    const name = normalizeSlug(ref)
    const slug = this.#slugs.get(name)
    return slug === undefined ? this.#bySlug.get(name) : { id: name, slug }
  }

  /**
   * The frame with this id or slug.
   * @throws AppError `frame_ref_required`, `frame_not_found`
   */
  get(ref: string): FrameName {
    if (ref.trim() === '') {
      throw new AppError(
        'frame_ref_required',
        'The reference to the frame is empty. Send its id or slug.',
      )
    }
    const found = this.find(ref)
    if (found) return found
    throw frameNotFound(ref, this.#bySlug.keys())
  }

  /** @throws AppError `slug_taken` with `id` if a frame other than `self` has the slug */
  assertFree(slug: string, self?: string): void {
    const id = this.#bySlug.get(slug)?.id
    if (id === undefined || id === self) return
    throw new AppError(
      'slug_taken',
      `The slug "${slug}" is already used by frame ${id}. Replace that frame's markup, or choose another slug.`,
      { id },
    )
  }
}

/** @param slugs among which a similar one is looked for [none] */
export function frameNotFound(ref: string, slugs: Iterable<string> = []): AppError {
  const suggestion = didYouMean(normalizeSlug(ref), slugs)
  return new AppError(
    'frame_not_found',
    `No frame has the id or slug "${ref}".${suggestion} List the frames to find it.`,
  )
}

/** Reads the registry. A missing one is rebuilt from the records. */
export async function readRegistry(db: Db, site: Site): Promise<Registry> {
  const text = await readOption(db, site, REGISTRY_OPTION)
  return decodeRegistry(text ?? (await rebuildRegistry(db, site)))
}

/**
 * Reads the registries of many sites, by blog id: with two statements for 200 sites, and one for each site whose registry is missing but not
 * its records. Null for a damaged registry. Sites that cannot be read are left out, see `selectFromSites`.
 */
export async function readRegistries(
  db: Db,
  sites: readonly Site[],
): Promise<Map<number, Registry | null>> {
  const options = await readOptionsOfSites(db, sites, [REGISTRY_OPTION])
  const withoutRegistry = sites.filter(
    ({ blogId }) => options.get(blogId)?.has(REGISTRY_OPTION) === false,
  )
  const records = await selectFromSites(db, withoutRegistry, ({ blogId, tables }) => ({
    statement: 'SELECT :blogId AS blog_id FROM :options: WHERE option_name LIKE :records LIMIT 1',
    values: { blogId, options: tables.options, records: `${escapeLike(recordOption(''))}%` },
  }))
  const registries = new Map<number, Registry | null>()
  for (const site of sites) {
    const stored = options.get(site.blogId)
    if (!stored) continue
    const hasRecords = records.get(site.blogId)?.length === 1
    const text = stored.get(REGISTRY_OPTION)
    const isEmpty = text === undefined && !hasRecords
    registries.set(
      site.blogId,
      isEmpty ? new Registry(new Map()) : await readIfValid(db, site, text),
    )
  }
  return registries
}

async function readIfValid(db: Db, site: Site, text: string | undefined): Promise<Registry | null> {
  try {
    return decodeRegistry(text ?? (await rebuildRegistry(db, site)))
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/**
 * Locks the registry and returns its option value. The lock on this row is the site's write lock for frames: other writers wait until the
 * transaction ends.
 */
export function lockRegistry(tx: Tx, site: Site): Promise<string> {
  return lockOrCreateOption(tx, site, REGISTRY_OPTION, () => rebuildRegistry(tx, site), 'off')
}

/** Locks the registry together with the nonce of the frames' version, '' if there is none: usually in one statement. */
export async function lockRegistryAndNonce(
  tx: Tx,
  site: Site,
): Promise<{ readonly text: string; readonly nonce: string }> {
  const rows = await readRows<{ option_name: string; option_value: string }>(
    tx,
    'SELECT option_name, option_value FROM :options: WHERE option_name IN (:names) ORDER BY option_name FOR UPDATE',
    { options: site.tables.options, names: [REGISTRY_OPTION, VERSION_OPTION] },
  )
  const stored = new Map(rows.map((row) => [row.option_name, row.option_value]))
  const text = stored.get(REGISTRY_OPTION) ?? (await lockRegistry(tx, site))
  return { text, nonce: stored.get(VERSION_OPTION) ?? '' }
}

/**
 * Decodes the registry's option value.
 * @throws AppError `frame_unreadable` if it is damaged: a guess would be written over it
 */
export function decodeRegistry(text: string): Registry {
  try {
    const value = unserialize(text)
    const entries = value instanceof Map ? [...value] : []
    return new Registry(new Map(entries.map(([id, slug]) => [String(id), String(slug)])))
  } catch (error) {
    if (!(error instanceof SerializedError)) throw error
    throw new AppError(
      'frame_unreadable',
      `The registry of frames (option ${REGISTRY_OPTION}) is damaged: ${error.message}. Restore the option from a backup.`,
      { option: REGISTRY_OPTION, offset: error.offset },
    )
  }
}

/** The stored records of these frames as texts, by id. Missing ones are left out. */
export async function readRecordTexts(
  db: Db,
  site: Site,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const options = await readOptions(db, site, ids.map(recordOption))
  return new Map([...options].map(([name, text]) => [name.slice(recordOption('').length), text]))
}

const RECORD_OPTION = new RegExp(`^${recordOption('([0-9a-f]{16})')}$`)
/** Characters at each end of a record in the current format that contain everything except its markup. */
const RECORD_END_CHARACTERS = 300
/** Bytes of legacy records that are read at a time. */
const RECORD_BATCH_BYTES = 4 * 1024 * 1024

type EndsRow = RecordEnds & { readonly option_name: string }

/**
 * Rebuilds a missing registry from the records and returns its option value. If two records have the same slug, the one written last keeps
 * it. A record without a usable slug gets its id as slug. Markup is read only for records in legacy formats.
 */
export async function rebuildRegistry(db: Db, site: Site): Promise<string> {
  const named = [...(await readAllRecordNames(db, site))].map(([id, names]) => ({ id, ...names }))
  const slugs = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id, slug } of named.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))) {
    const own = findSlug(slug)
    const name = own === undefined || taken.has(own) ? id : own
    slugs.set(id, name)
    taken.add(name)
  }
  return encodePhp(Object.fromEntries([...slugs].sort()))
}

async function readAllRecordNames(db: Db, site: Site): Promise<Map<string, RecordNames>> {
  const rows = await readRows<EndsRow>(
    db,
    `SELECT option_name, LENGTH(option_value) AS bytes, LEFT(option_value, :length) AS start,
      RIGHT(option_value, :length) AS end
    FROM :options: WHERE option_name LIKE :records AND CHAR_LENGTH(option_name) = :nameLength
    ORDER BY option_name`,
    {
      options: site.tables.options,
      records: `${escapeLike(recordOption(''))}%`,
      nameLength: recordOption('0123456789abcdef').length,
      length: RECORD_END_CHARACTERS,
    },
  )
  const names = new Map<string, RecordNames>()
  const legacy: { id: string; bytes: number }[] = []
  for (const row of rows) {
    const id = RECORD_OPTION.exec(row.option_name)?.[1]
    if (id === undefined) continue
    const found = readRecordNamesFromEnds(row)
    if (found) names.set(id, found)
    else legacy.push({ id, bytes: row.bytes })
  }
  for (const batch of inBatches(legacy, RECORD_BATCH_BYTES, ({ bytes }) => bytes)) {
    const ids = batch.map(({ id }) => id)
    const texts = await readRecordTexts(db, site, ids)
    for (const id of ids) names.set(id, readRecordNames(texts.get(id) ?? ''))
  }
  return names
}
