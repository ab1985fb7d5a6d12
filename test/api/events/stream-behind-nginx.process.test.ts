import { expect, it } from 'vitest'
import { useApi } from '../../support/api.ts'
import { describeWith } from '../../support/describe-with.ts'
import { openStream } from '../../support/event-stream.ts'
import { startNginxServer } from '../../support/nginx.ts'
import { use } from '../../support/use.ts'

describeWith('nginx', 'a stream behind nginx', () => {
  it('has each event at once, because nginx does not wait until its buffer is full', async () => {
    const { api } = await useApi()
    const nginx = await use(
      startNginxServer(
        (listen) => `server { listen ${listen}; location / {
          proxy_pass ${api.url}; proxy_http_version 1.1; proxy_set_header Connection ""; gzip on; gzip_types *;
        } }`,
      ),
    )
    const token = await api.token('alice')
    const stream = await openStream(`http://127.0.0.1:${nginx.port}/site/2/changes?since=now`, {
      token,
    })
    const alice = await api.as('alice')
    for (const [at, slug] of ['behind-nginx', 'behind-it-again'].entries()) {
      await alice.post('/site/2/frames').send({ slug, html: '<i></i>', bake: false }).expect(200)
      await stream.until(at + 1)
      expect(stream.events[at]?.data.things[0]?.name).toBe(slug)
    }
    await stream.close()
  })
})
