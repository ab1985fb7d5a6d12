import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { assertNoFailure } from '../../../src/build/publishing/copy-failure.ts'
import { FolderJobs } from '../../../src/build/publishing/folder-jobs.ts'
import { createStaging } from '../../../src/build/publishing/staging.ts'
import {
  JobTimeoutError,
  type WorkerJob,
  WorkerPool,
} from '../../../src/host/concurrency/worker-pool.ts'
import { FAST } from '../../support/timings.ts'
import { useFolder } from '../../support/use.ts'
import { newWriterId } from './publishing-fixture.ts'

const run = WorkerPool.prototype.run

/** A disk that manages so many copies before a job is stopped. @returns the sizes of the jobs */
function slowDisk(manages: number): number[] {
  const sizes: number[] = []
  const spy = vi.spyOn(WorkerPool.prototype, 'run')
  onTestFinished(() => spy.mockRestore())
  spy.mockImplementation(function (this: WorkerPool, key: string, job: WorkerJob) {
    const data = async () => {
      const argument = await (typeof job.data === 'function' ? job.data() : job.data)
      const { copies } = argument as { copies: readonly unknown[] }
      sizes.push(copies.length)
      if (copies.length > manages) throw new JobTimeoutError(30_000)
      return argument
    }
    return run.call(this, key, { ...job, data })
  } as typeof run)
  return sizes
}

const staticDir = await useFolder('slow')
const targetOf = async () => {
  const owner = newWriterId()
  return { site: 2, owner, staging: await createStaging(staticDir, owner) }
}
const locationOf = (page: number) => join(staticDir, 'net.test', `p${page}`)
const copiesOf = (count: number) =>
  Array.from({ length: count }, (_, page) => ({
    page,
    location: locationOf(page),
    html: `page ${page}`,
    url: 'http://net.test/',
    version: 1,
    digest: '',
  }))

function openWriter(): FolderJobs {
  const writer = new FolderJobs(staticDir, FAST.threads)
  onTestFinished(() => writer.close())
  return writer
}

it('copies are written in smaller jobs on a disk that is too slow for large ones', async () => {
  const sizes = slowDisk(15)
  const writer = openWriter()
  const written = await writer.write(await targetOf(), copiesOf(60))
  expect([...written.keys()]).toEqual(copiesOf(60).map(({ page }) => page))
  assertNoFailure(written)
  expect(copiesOf(60).every(({ page }) => existsSync(join(locationOf(page), 'index.html')))).toBe(
    true,
  )
  expect(sizes).toEqual([50, 25, 12, 13, 14, 15, 6])
  // The next ones begin as small.
  const former = copiesOf(5).map(({ page, location }) => ({ page, location }))
  await writer.remove(await targetOf(), former)
  expect(sizes.slice(7)).toEqual([5])
})

it('a single copy that takes too long fails', async () => {
  const sizes = slowDisk(0)
  await expect(openWriter().write(await targetOf(), copiesOf(3))).rejects.toThrow(JobTimeoutError)
  expect(sizes).toEqual([3, 1])
})

it('the contents of copies are compared in smaller jobs, too', async () => {
  const sizes = slowDisk(20)
  const compared = copiesOf(50).map(({ page }) => ({
    page,
    url: `http://net.test/p${page}/`,
    digest: 'x',
  }))
  expect(await openWriter().check(2, compared)).toHaveLength(50)
  expect(sizes).toEqual([50, 25, 12, 13, 14, 11])
})
