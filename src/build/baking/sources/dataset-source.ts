import { PhpObject } from '#php-serialized'
import { datasetOption } from '../../../content/frames/option-names.ts'
import type { Value } from '../../../content/markup/evaluation/program.ts'
import type { Json } from '../../../content/markup/nodes.ts'
import type { Db } from '../../../db/database.ts'
import { parseJson } from '../../../host/parse-json.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { readOption } from '../../../wordpress/options/read-options.ts'
import { isSerialized, storedValue } from '../../../wordpress/stored-value.ts'

/** Deeper data is cut, because printing and storing recurse. */
const MAX_DATASET_DEPTH = 32
/** Further entries are cut: a few PHP references can expand to billions. */
const MAX_DATASET_ENTRIES = 500_000
/**
 * Texts that references repeat are one in memory, but not where they are printed or digested. Together they may have so many characters, or as many as
 * what is stored; further ones are cut.
 */
const MAX_REPEATED_CHARACTERS = 8 * 1024 * 1024

/** `dataset.<name>`: the option `svc_data_<name>`, JSON or a PHP array; undefined if it is missing or unreadable. */
export async function readDataset(db: Db, site: Site, name: string): Promise<Value> {
  const text = await readOption(db, site, datasetOption(name))
  return text === undefined ? undefined : decodeDataset(text)
}

/** Decodes an option value; undefined if it is neither JSON nor serialized PHP. */
export function decodeDataset(text: string): Value {
  const stored = isSerialized(text) ? storedValue(text) : (parsedJson(text) ?? undefined)
  const mostCharacters = Math.max(text.length, MAX_REPEATED_CHARACTERS)
  let entries = 0
  let characters = 0
  const isWithin = (): boolean => entries <= MAX_DATASET_ENTRIES && characters <= mostCharacters
  const jsonOf = (value: unknown, depth: number): Json => {
    entries += 1
    if (typeof value === 'string') {
      characters += value.length
      return characters > mostCharacters ? null : value
    }
    if (typeof value === 'boolean') return value
    if (typeof value === 'bigint') return value.toString()
    if (typeof value === 'number') return Number.isFinite(value) ? value : null
    if (value === null || value instanceof PhpObject) return null
    if (depth === 0 || !isWithin()) return null
    if (Array.isArray(value)) return value.map((entry) => jsonOf(entry, depth - 1))
    const named = entriesOf(value).map(([key, entry]): [string, Json] => {
      const name = String(key)
      characters += name.length
      return [name, jsonOf(entry, depth - 1)]
    })
    // The rule of json_encode for lists and objects.
    const isList = value instanceof Map && named.every(([key], index) => key === String(index))
    return isList ? named.map(([, entry]) => entry) : Object.fromEntries(named)
  }
  return stored === undefined ? undefined : jsonOf(stored, MAX_DATASET_DEPTH)
}

function parsedJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** The entries of a PHP array or a JSON object. */
function entriesOf(value: unknown): [unknown, unknown][] {
  return value instanceof Map ? [...value] : Object.entries(value ?? {})
}
