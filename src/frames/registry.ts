import type { Db } from '../db/database.ts'
import { escapeLike, inBatches, readRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption, readOptions } from '../wordpress/options/read-options.ts'
import { certifyOption, lockOrCreateOption } from '../wordpress/options/write-options.ts'
import { decodePhp } from '../wordpress/serialized/decode-php.ts'
import { encodePhp } from '../wordpress/serialized/encode-php.ts'
import { SerializedError } from '../wordpress/serialized/php-value.ts'
import { REGISTRY_OPTION, recordOption } from './option-names.ts'
import {
  type RecordEnds,
  type RecordNames,
  readRecordNames,
  readRecordNamesFromEnds,
} from './record.ts'
import { findSlug, normalizeSlug } from './slug.ts'

/** A frame's two names. */
export type FrameName = { readonly id: string; readonly slug: string }

/** The frames of a site by both their names. */
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

  /** The registry after a write: these frames under these slugs, those ids gone. */
  with(written: readonly FrameName[], removed: readonly string[]): Registry {
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

  /** The frame of an id or a slug, in any case of letters; an id is tried first. */
  find(ref: string): FrameName | undefined {
    const name = normalizeSlug(ref)
    const slug = this.#slugs.get(name)
    return slug === undefined ? this.#bySlug.get(name) : { id: name, slug }
  }

  /**
   * The frame of `{ref}` in an address.
   * @throws AppError `frame_ref_required`, `frame_not_found`
   */
  get(ref: string): FrameName {
    if (ref.trim() === '') {
      throw new AppError(
        'frame_ref_required',
        'No frame is named. Put its id or slug into the address.',
      )
    }
    const found = this.find(ref)
    if (found) return found
    throw frameNotFound()
  }

  /** @throws AppError `slug_taken` with the holder's `id`, where a frame other than `self` bears the slug */
  assertFree(slug: string, self?: string): void {
    const id = this.#bySlug.get(slug)?.id
    if (id === undefined || id === self) return
    throw new AppError(
      'slug_taken',
      `The slug "${slug}" is used by the frame ${id}. Replace that frame's markup with PUT, or choose another slug.`,
      { id },
    )
  }
}

export function frameNotFound(): AppError {
  return new AppError(
    'frame_not_found',
    'There is no frame with this id or slug. GET /frames lists them.',
  )
}

/** The registry as it stands, or as the records say where there is none. */
export async function readRegistry(db: Db, site: Site): Promise<Registry> {
  const text = await readOption(db, site, REGISTRY_OPTION)
  return decodeRegistry(text ?? (await rebuildRegistry(db, site)))
}

/**
 * The registry's text under lock: its row is the site's write lock for frames, and keeps other writers out until the
 * transaction ends.
 */
export function lockRegistry(tx: Tx, site: Site): Promise<string> {
  return lockOrCreateOption(tx, site, REGISTRY_OPTION, () => rebuildRegistry(tx, site), 'off')
}

/**
 * The registry's text under lock, for a write that leaves the registry as it is. Its row is written to and fro, because Galera compares at
 * commit what two nodes wrote, and knows nothing of what they locked.
 */
export async function lockAndTouchRegistry(tx: Tx, site: Site): Promise<string> {
  const text = await lockRegistry(tx, site)
  await certifyOption(tx, site, REGISTRY_OPTION)
  return text
}

/**
 * The registry in its option's text.
 * @throws AppError `frame_unreadable` where it is damaged: nothing is guessed and nothing written over it
 */
export function decodeRegistry(text: string): Registry {
  try {
    const value = decodePhp(text)
    const entries = value instanceof Map ? [...value] : []
    return new Registry(new Map(entries.map(([id, slug]) => [String(id), String(slug)])))
  } catch (error) {
    if (!(error instanceof SerializedError)) throw error
    throw new AppError(
      'frame_unreadable',
      `The site's list of frames (option ${REGISTRY_OPTION}) is damaged: ${error.message}. Restore that option from a backup.`,
      { option: REGISTRY_OPTION, offset: error.offset },
    )
  }
}

const RECORD_OPTION = new RegExp(`^${recordOption('([0-9a-f]{16})')}$`)
/** Characters of a record's start and end that have all but its markup, where it is of today's form. */
const RECORD_END_CHARACTERS = 300
/** Records of older forms that are read at a time, in bytes. */
const RECORD_BATCH_BYTES = 4 * 1024 * 1024

type EndsRow = RecordEnds & { readonly option_name: string }

/**
 * The text of the registry for a site that has none: what its records say. Of two records with one slug the one written last has it; a
 * record without a slug of its own bears its id, until it is renamed. The markup is not read, but for records of older forms.
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
  const others: { id: string; bytes: number }[] = []
  for (const row of rows) {
    const id = RECORD_OPTION.exec(row.option_name)?.[1]
    if (id === undefined) continue
    const found = readRecordNamesFromEnds(row)
    if (found) names.set(id, found)
    else others.push({ id, bytes: row.bytes })
  }
  for (const batch of inBatches(others, RECORD_BATCH_BYTES, ({ bytes }) => bytes)) {
    const options = batch.map(({ id }) => recordOption(id))
    const texts = await readOptions(db, site, options)
    for (const { id } of batch) names.set(id, readRecordNames(texts.get(recordOption(id)) ?? ''))
  }
  return names
}
