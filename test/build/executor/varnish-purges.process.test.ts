import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { pagesTable } from '../../../src/content/work/work-tables.ts'
import { TaskRunner } from '../../../src/db/tasks/task-runner.ts'
import { createLog } from '../../../src/host/log.ts'
import { describeWith } from '../../support/describe-with.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { useFront } from '../../support/front.ts'
import { use } from '../../support/use.ts'
import { startVarnish } from '../../support/varnish.ts'

/** The real Varnish in front of the front, with the VCL of `ops/varnish`. */

const ABOUT = '/shop/about-us/'
const DOCS = '/docs/?page_id=2'

describeWith('varnish', 'Varnish', () => {
  describe.each([
    ['xkey', 'xkey.vcl'],
    ['ban', 'bans.vcl'],
  ] as const)('by %s', async (kind, file) => {
    const port = await freePort()
    const front = await useFront({
      cacheTags: { header: 'xkey', prefix: 'wpf' },
      cachePurge: [{ kind, url: `http://127.0.0.1:${port}` }],
    })
    await use(startVarnish(file, { backend: front.port, port }))
    const { tagPurges } = front.executor
    const tasks = await use(new TaskRunner({ ...front.network, log: createLog('silent') }))
    if (tagPurges) tasks.addSource(tagPurges)
    const ask = (path: string) =>
      new Promise<{ status: number; body: string; isHit: boolean; tags: unknown }>(
        (resolve, reject) => {
          request(
            { host: '127.0.0.1', port, path, headers: { Host: 'net.test' } },
            async (response) => {
              const { statusCode: status = 0, headers } = response
              const isHit = String(headers['x-varnish']).includes(' ')
              resolve({ status, body: await text(response), isHit, tags: headers.xkey })
            },
          )
            .on('error', reject)
            .end()
        },
      )
    const finishPurges = () =>
      eventually(async () => {
        const { db, globals } = front.network
        expect(await db.sql(pagesTable(globals)).whereNotNull('purge_by')).toEqual([])
      })
    const cached = async (path: string) => {
      await ask(path)
      return (await ask(path)).isHit
    }

    it('keeps pages under all their addresses until they change', async () => {
      await front.frame(2, 'page', 'first')
      await front.frame(3, 'page', 'other')
      await front.assign(2, 'page', [7])
      const { republish } = await front.assign(3, 'page', [2])
      expect(republish.cache).toMatchObject({
        status: 'pending',
        flushed: { tags: { status: 'pending', by: `Varnish at 127.0.0.1:${port}` } },
      })
      await finishPurges()
      const paths = [ABOUT, `${ABOUT}?utm_source=mail`]
      for (const path of [...paths, DOCS])
        await eventually(async () => expect(await cached(path)).toBe(true))
      expect(await ask(ABOUT)).toMatchObject({ status: 200, body: 'first', tags: undefined })
      await front.frame(2, 'page', 'second')
      for (const path of paths)
        await eventually(async () => expect((await ask(path)).body).toBe('second'))
      expect(await ask(DOCS)).toMatchObject({ isHit: true, body: 'other' })
    })

    it('removes a page that is not public any more', async () => {
      await eventually(async () => expect(await cached(ABOUT)).toBe(true))
      const { posts } = (await front.network.site(2)).tables
      await front.network.db.sql(posts).where({ ID: 7 }).update({ post_status: 'draft' })
      await front.assign(2, 'page', [7])
      await eventually(async () => expect((await ask(ABOUT)).status).toBe(404))
    })
  })
})
