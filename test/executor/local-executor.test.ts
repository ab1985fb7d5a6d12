import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createLog } from '../../src/log.ts'
import { workOn } from '../../src/work/work.ts'
import { createTestExecutor } from '../support/local-executor.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { use } from '../support/use.ts'
import { createExecutorFixture } from './executor-fixture.ts'

const built = await use(createExecutorFixture())

it('the executor logs the site and the reason of a failed build', async () => {
  const lines: string[] = []
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    lines.push(String(chunk))
    done()
  }
  const url = 'mysql://nobody@127.0.0.1:9/none'
  const db = openTestDatabase({ url, poolSize: 1, log: createLog('silent') })
  const log = pino(new Writable({ write }))
  const unable = createTestExecutor({ db, globals: built.network.globals, log })
  const { rebaked } = await unable.apply(built.site, {
    bake: true,
    work: [],
    version: 1,
  })
  expect(rebaked).toMatchObject({ status: 'failed', message: expect.stringContaining('the log') })
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      site: built.site.blogId,
      msg: 'build failed',
      err: expect.objectContaining({ code: 'ECONNREFUSED' }),
    }),
  ])
  await unable.close()
  await db.close()
})

it('the executor builds a frame from the stored markup if another write came after the change', async () => {
  await built.frame('raced', '<p>last</p>', { bake: false })
  const html = '<p>first</p>'
  const markup = { html, sha256: createHash('sha256').update(html).digest('hex'), isNew: true }
  const frame = await built.idOf('raced')
  await built.apply({ work: workOn('frame', [frame]), frame, markup })
  expect(await built.copyOf('raced')).toContain('last')
  expect(await built.copyOf('raced')).not.toContain('first')
})
