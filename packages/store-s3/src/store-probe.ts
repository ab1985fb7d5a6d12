import { randomBytes } from 'node:crypto'
import {
  CANNOT_WRITE,
  type CopyTargetError,
  UnusableTargetError,
} from '#wp-frames/build/publishing/copy-store'
import { asTargetError, StoreError } from './store-error.ts'
import type { StoreObjects } from './store-objects.ts'

/** The requests of the service itself. */
const LANE = 0
/** An entity tag that no object has. */
const WRONG = '"00000000000000000000000000000000"'

/**
 * Finds out whether a store can be used, with an object that it writes and deletes. A store is believed to evaluate a condition only if it
 * refuses a request whose condition is not met: many accept the header and ignore it.
 * @throws CopyTargetError for a right that is missing, UnusableTargetError for a store without conditions
 */
export async function probeStore(objects: StoreObjects): Promise<void> {
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
  assertConditions(objects, [
    ...(refusesSecond ? [] : ['If-None-Match of PUT']),
    ...(refusesWrong && acceptsRight ? [] : ['If-Match of PUT']),
    ...(keeps ? [] : ['If-Match of DELETE']),
  ])
}

/** @throws UnusableTargetError if conditions are ignored: a request of a suspended process that arrives late could change a later copy */
function assertConditions({ address, name }: StoreObjects, ignored: readonly string[]): void {
  if (ignored.length === 0) return
  throw new UnusableTargetError(
    `${CANNOT_WRITE}the store at ${new URL(address.baseUrl).origin} does not evaluate ${ignored.join(', ')} in ${name}, so a request that arrives late could overwrite or delete a newer page. Set STATIC_TARGET to a store with conditional writes and deletions, such as Amazon S3 or Ceph 20, or set STATIC_DIR to a folder instead`,
  )
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
