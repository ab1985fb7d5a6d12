import type { Db } from '../../db/database.ts'
import type { Json } from '../../markup/nodes.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import { decodePhp } from '../../wordpress/serialized/decode-php.ts'
import { PhpObject, SerializedError } from '../../wordpress/serialized/php-value.ts'
import type { Value } from '../program.ts'

/** Datasets are the options whose names begin so. */
export const DATASET_PREFIX = 'svc_data_'

/** Deeper data is cut: whoever prints or stores it may recurse into it. */
const MAX_DATASET_DEPTH = 32
/** Entries beyond these are cut: a few references in PHP's form can stand for billions. */
const MAX_DATASET_ENTRIES = 500_000

/** `dataset.<name>`: the option `svc_data_<name>`, JSON or a PHP array; undefined where there is none that can be read. */
export async function readDataset(db: Db, site: Site, name: string): Promise<Value> {
  const text = await readOption(db, site, `${DATASET_PREFIX}${name}`)
  return text === undefined ? undefined : decodeDataset(text)
}

/** The data in an option's text; undefined where it is neither JSON nor serialized. */
export function decodeDataset(text: string): Value {
  const stored = parseJson(text) ?? parsePhp(text)
  let entries = 0
  const jsonOf = (value: unknown, depth: number): Json => {
    entries += 1
    if (typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'bigint') return value.toString()
    if (typeof value === 'number') return Number.isFinite(value) ? value : null
    if (value === null || value instanceof PhpObject) return null
    if (depth === 0 || entries > MAX_DATASET_ENTRIES) return null
    if (Array.isArray(value)) return value.map((entry) => jsonOf(entry, depth - 1))
    const named = entriesOf(value).map(([key, entry]): [string, Json] => [
      String(key),
      jsonOf(entry, depth - 1),
    ])
    // As json_encode tells a list from an object.
    const isList = value instanceof Map && named.every(([key], index) => key === String(index))
    return isList ? named.map(([, entry]) => entry) : Object.fromEntries(named)
  }
  return stored === undefined ? undefined : jsonOf(stored, MAX_DATASET_DEPTH)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parsePhp(text: string): unknown {
  try {
    return decodePhp(text)
  } catch (error) {
    if (error instanceof SerializedError) return undefined
    throw error
  }
}

/** Of a PHP array or an object of JSON. */
function entriesOf(value: unknown): [unknown, unknown][] {
  return value instanceof Map ? [...value] : Object.entries(value ?? {})
}
