import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFrameFile } from '../../../../src/cli/frames/folder/frame-folder.ts'
import { sendSteps } from '../../../../src/cli/frames/push/run-steps.ts'
import { INLINE_ANALYZER } from '../../../../src/frames/frame-markup.ts'
import { createLog } from '../../../../src/log.ts'
import { type FramesCli, sha256, startFramesCli } from '../../../support/frames-cli.ts'
import { createTestExecutor, type TestExecutor } from '../../../support/local-executor.ts'

let cli: FramesCli
let executor: TestExecutor
beforeAll(async () => {
  cli = await startFramesCli()
  executor = createTestExecutor({ ...cli.network, log: createLog('silent') })
})
afterAll(async () => {
  await executor.close()
  await cli.stop()
})

const write = {
  userId: 0,
  now: '2026-01-02 03:04:05',
  bake: true,
  force: false,
  analyzer: INLINE_ANALYZER,
}

describe('steps of a push', () => {
  it('stop if the site changed after the push was planned, and the manifest contains the sent frames', async () => {
    const first = await cli.put('first', '1')
    const second = await cli.put('second', '2')
    const entries = new Map(
      [first, second].map((id, at) => {
        const slug = at === 0 ? 'first' : 'second'
        return [id, { id, slug, sha256: sha256(String(at + 1)), file: `${slug}.html` }]
      }),
    )
    const files = new Map(
      ['first.html', 'second.html', 'third.html'].map((name) => [
        name,
        createFrameFile(name, Buffer.from('mine')),
      ]),
    )
    await cli.put('second', 'theirs')
    const ticks: number[] = []
    const { sent, left, failure } = await sendSteps(
      { db: cli.network.db, executor },
      cli.shop,
      { path: cli.folder, entries, files, hasManifest: true },
      [
        { action: 'update', id: first, slug: 'first', file: 'first.html' },
        { action: 'update', id: second, slug: 'second', file: 'second.html' },
        { action: 'create', slug: 'third', file: 'third.html' },
      ],
      write,
      {
        signal: new AbortController().signal,
        progress: { expect: () => {}, tick: () => ticks.push(1) },
      },
    )
    expect([sent.length, left, ticks.length]).toEqual([1, 2, 1])
    expect(failure).toMatchObject({
      step: { slug: 'second' },
      message: expect.stringContaining('changed on the site since the pull'),
    })
    expect(await cli.stored()).toEqual({ first: 'mine', second: 'theirs' })
    const { frames } = JSON.parse(await readFile(join(cli.folder, 'frames.json'), 'utf8'))
    expect(frames).toMatchObject([
      { slug: 'first', sha256: sha256('mine') },
      { slug: 'second', sha256: sha256('2') },
    ])
  })
})
