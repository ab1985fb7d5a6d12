import { join } from 'node:path'
import { type CopyKey, recordsFolder } from './copy-records.ts'
import { pageLockName, withLockFile } from './lock-file.ts'
import { assertInside } from './static-path.ts'

/**
 * Runs `work` while holding the lock file of a page's static copy, which excludes all processes that share the folder.
 * @throws StaticPathError, and errors of the file system
 */
export async function withPageLock<T>(
  { staticDir, site, page }: CopyKey,
  work: () => Promise<T>,
): Promise<T> {
  const lock = join(recordsFolder(staticDir, site), pageLockName(page))
  await assertInside(staticDir, lock)
  return withLockFile(lock, work)
}
