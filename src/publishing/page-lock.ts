import { join } from 'node:path'
import { withKeyedMutex } from '../concurrency/keyed-mutex.ts'
import { type CopyKey, recordsFolder } from './copy-records.ts'
import { pageLockName, withLockFile } from './lock-file.ts'
import { assertInside } from './static-path.ts'

/**
 * Runs `work` on a page's copy once nobody else works on it, in this process or in another on the same folder.
 * @throws StaticPathError, and errors of the file system
 */
export function withPageLock<T>(
  { staticDir, site, page }: CopyKey,
  work: () => Promise<T>,
): Promise<T> {
  const lock = join(recordsFolder(staticDir, site), pageLockName(page))
  return withKeyedMutex(lock, async () => {
    await assertInside(staticDir, lock)
    return withLockFile(lock, work)
  })
}
