import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { assertNoFailure } from '../../../src/build/publishing/copy-failure.ts'
import { FolderJobs } from '../../../src/build/publishing/folder-jobs.ts'
import { createStaging } from '../../../src/build/publishing/staging.ts'
import { FAST } from '../../support/timings.ts'
import { use, useFolder } from '../../support/use.ts'
import { newWriterId } from './publishing-fixture.ts'
import { filesOfCopy } from './test-target.ts'

const staticDir = await useFolder('writer')
/** The threads of two processes. */
const [one, other] = [
  await use(new FolderJobs(staticDir, FAST.threads)),
  await use(new FolderJobs(staticDir, FAST.threads)),
]

it('the writer of copies never removes the copy of another page that is written at the same time', async () => {
  const targetOf = async () => {
    const owner = newWriterId()
    return { site: 2, owner, staging: await createStaging(staticDir, owner) }
  }
  const [oneTarget, otherTarget] = [await targetOf(), await targetOf()]
  const numbers = Array.from({ length: 50 }, (_, index) => index)
  const folderOf = (index: number) => join(staticDir, 'net.test', `p${index}`)
  /** The copies of 50 pages, each in the folder of its number. */
  const copiesOf = (first: number) =>
    numbers.map((index) => ({
      page: first + index,
      location: folderOf(index),
      html: `page ${first + index}`,
      url: 'http://net.test/',
      version: 1,
      digest: '',
    }))
  for (let round = 0; round < 4; round += 1) {
    await one.write(oneTarget, copiesOf(1000))
    const former = copiesOf(1000).map(({ page, location }) => ({ page, location }))
    const writing = other.write(otherTarget, copiesOf(2000))
    // The copies are removed in the opposite order once the first has been written, so that both threads meet.
    while (!readFileSync(join(folderOf(0), '.page.json'), 'utf8').includes('2000')) await sleep(1)
    const [removed, written] = await Promise.all([one.remove(oneTarget, former.reverse()), writing])
    assertNoFailure(removed)
    assertNoFailure(written)
    for (const index of numbers) {
      const folder = folderOf(index)
      expect((await readdir(folder)).sort()).toEqual(filesOfCopy(''))
      expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe(`page ${2000 + index}`)
    }
    await other.remove(
      otherTarget,
      copiesOf(2000).map(({ page, location }) => ({ page, location })),
    )
    expect(await readdir(staticDir)).toEqual(['.work'])
  }
})
