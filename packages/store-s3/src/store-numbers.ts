import { forEachBounded } from '#wp-frames/concurrency/for-each'
import type { PublicationNumbers } from '#wp-frames/publishing/copy-target'
import type { StoreObjects } from './store-objects.ts'

/** The prefix of the objects. It cannot collide with a host: hosts start with a letter or a digit. */
const FOLDER = '.published/'
/** The requests of the service itself. */
const LANE = 0
/** Requests at once. */
const OBJECTS_AT_ONCE = 16

/** The numbers in the store, one empty object each. Of several objects of a bucket, the highest counts. */
export async function readStoreNumbers(objects: StoreObjects): Promise<PublicationNumbers> {
  const numbers = new Map<number, number>()
  for (const { bucket, number } of await readAll(objects))
    numbers.set(bucket, Math.max(numbers.get(bucket) ?? 0, number))
  return numbers
}

/**
 * Stores a number, with a key of its own: stores refuse more than one write per second of a key. A higher one stays, also one of another
 * process.
 */
export async function storeStoreNumber(
  objects: StoreObjects,
  bucket: number,
  number: number,
): Promise<void> {
  const stored = (await readAll(objects)).filter((one) => one.bucket === bucket)
  if (stored.some((one) => one.number >= number)) return
  await objects.put(LANE, `${objects.address.prefix}${FOLDER}${bucket}.${number}`, Buffer.alloc(0))
  await removeAll(objects, stored)
}

/** Removes all numbers. */
export async function removeStoreNumbers(objects: StoreObjects): Promise<void> {
  await removeAll(objects, await readAll(objects))
}

function removeAll(objects: StoreObjects, stored: readonly StoredNumber[]): Promise<void> {
  return forEachBounded(stored, OBJECTS_AT_ONCE, async ({ key }) => {
    await objects.delete(LANE, key)
  })
}

type StoredNumber = { readonly key: string; readonly bucket: number; readonly number: number }

async function readAll(objects: StoreObjects): Promise<StoredNumber[]> {
  const found: StoredNumber[] = []
  for await (const keys of objects.list(LANE, objects.address.prefix + FOLDER))
    for (const key of keys) {
      const [, bucket, number] = /(?:^|\/)(\d{1,3})\.(\d{1,16})$/.exec(key) ?? []
      if (number !== undefined) found.push({ key, bucket: Number(bucket), number: Number(number) })
    }
  return found
}
