import type { Db } from '../../db/database.ts'
import type { Json } from '../../markup/nodes.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-option.ts'
import { decodePhp } from '../../wordpress/serialized/decode-php.ts'
import type { PhpValue } from '../../wordpress/serialized/php-value.ts'
import { SerializedError } from '../../wordpress/serialized/serialized-error.ts'
import type { Value } from '../program.ts'

/** Deeper data is cut: whoever prints it may recurse into it. */
const MAX_DEPTH = 32

/** `dataset.<name>`: the option `svc_data_<name>`, JSON or a PHP array; undefined where there is none that can be read. */
export async function readDataset(db: Db, site: Site, name: string): Promise<Value> {
  const text = await readOption(db, site, `svc_data_${name}`)
  if (text === undefined) return undefined
  return fromJson(text) ?? fromPhp(text)
}

function fromJson(text: string): Value {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fromPhp(text: string): Value {
  try {
    return jsonOf(decodePhp(text), MAX_DEPTH)
  } catch (error) {
    if (error instanceof SerializedError) return undefined
    throw error
  }
}

/** A PHP value as JSON has it (json_encode): a list where the keys count from 0, else an object. */
function jsonOf(value: PhpValue, depth: number): Json {
  if (value instanceof Map) {
    if (depth === 0) return null
    const entries = [...value].map(([key, entry]): [string, Json] => [
      String(key),
      jsonOf(entry, depth - 1),
    ])
    const isList = entries.every(([key], index) => key === String(index))
    return isList ? entries.map(([, entry]) => entry) : Object.fromEntries(entries)
  }
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'object') return null
  return value
}
