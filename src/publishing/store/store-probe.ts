import { randomBytes } from 'node:crypto'
import { type CopyTargetError, UnusableTargetError } from '../copy-target.ts'
import { asTargetError, CANNOT_WRITE, StoreError } from './store-error.ts'
import type { StoreObjects } from './store-objects.ts'

/** Which conditions a store evaluates. */
export type StoreAbilities = {
  /** `If-None-Match: *` and `If-Match` of a PUT. */
  readonly conditionalPut: boolean
  /** `If-Match` of a DELETE. */
  readonly conditionalDelete: boolean
}

/** The requests of the service itself. */
const LANE = 0
/** An entity tag that no object has. */
const WRONG = '"00000000000000000000000000000000"'

/**
 * Finds out what a store can do, with an object that it writes and deletes. A store is believed to evaluate a condition only if it refuses a
 * request whose condition is not met: many accept the header and ignore it.
 * @throws CopyTargetError for a right that is missing
 */
export async function probeStore(objects: StoreObjects): Promise<StoreAbilities> {
  const key = `${objects.address.prefix}.wp-frames-probe/${randomBytes(8).toString('hex')}`
  const naming = <T>(request: Promise<T>, purpose: string): Promise<T> =>
    request.catch((error: unknown) => {
      throw asTargetError(error, objects.address, purpose) as CopyTargetError
    })
  const put = (condition: Readonly<Record<string, string>>) =>
    objects.put(LANE, key, Buffer.from('probe'), { condition })
  assertNoRetention(objects, await objects.findRetention(LANE))
  // Without these rights the object of the probe could not be removed, so nothing is written.
  await naming(objects.delete(LANE, key), 'delete objects')
  await naming(objects.head(LANE, key), 'see whether an object exists (s3:ListBucket)')
  const etag = await naming(put({}), 'write objects')
  const kept = (await naming(objects.head(LANE, key), 'read objects'))?.['x-amz-object-lock-mode']
  const refusesSecond = (await unlessUnknown(put({ 'If-None-Match': '*' }))) === undefined
  const refusesWrong = (await unlessUnknown(put({ 'If-Match': WRONG }))) === undefined
  const acceptsRight = (await unlessUnknown(put({ 'If-Match': etag ?? '' }))) !== undefined
  const keeps = (await unlessUnknown(objects.delete(LANE, key, { etag: WRONG }))) === false
  await naming(objects.delete(LANE, key), 'delete objects')
  assertNoRetention(objects, kept === undefined ? undefined : String(kept))
  return {
    conditionalPut: refusesSecond && refusesWrong && acceptsRight,
    conditionalDelete: keeps,
  }
}

/** @throws UnusableTargetError if the bucket keeps each version of an object: pages that were withdrawn could be read for as long */
function assertNoRetention({ address }: StoreObjects, mode: string | undefined): void {
  if (mode === undefined) return
  throw new UnusableTargetError(
    `${CANNOT_WRITE}the bucket "${address.bucket}" keeps every version of each object for a time (Object Lock, a default retention of the mode ${mode}), so pages that were withdrawn or corrected would stay readable. Remove the default retention, or set STATIC_TARGET to another bucket`,
  )
}

/** A store may also answer that it does not know a header. */
async function unlessUnknown<T>(request: Promise<T>): Promise<T | 'unknown'> {
  try {
    return await request
  } catch (error) {
    if (error instanceof StoreError && [400, 403, 501].includes(error.status)) return 'unknown'
    throw error
  }
}
