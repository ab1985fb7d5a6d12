import { gzipSync } from 'node:zlib'
import { type Attack, flood, makeMenu } from './attack.ts'

// Requests of one writer that take long by themselves, or hold the locks of their site for long.

export const HOLDING_ATTACKS: readonly Attack[] = [
  {
    name: 'trees with 230 titles of 65,000 angle brackets, 3 at once',
    prepare: (tenant) => makeMenu(tenant, 1),
    run(tenant, over) {
      const tree = Array.from({ length: 230 }, () => ({ url: '/x/', title: '<'.repeat(65_000) }))
      const body = gzipSync(JSON.stringify({ items: tree }))
      return flood(over, { atOnce: 3 }, () =>
        tenant.send('PUT', `/menus/${tenant.name}/items`, body),
      )
    },
  },
  {
    name: 'previews of a token that may only read, with 40 unsaved frames in 8 MB, 8 at once',
    scope: 'read',
    run(tenant, over) {
      const frames = Array.from({ length: 40 }, (_, at) => ({
        slug: `${tenant.name}-${at}`,
        html: '<b>x</b>'.repeat(25_000),
      }))
      const body = { page: 'guide', frames, assign: `${tenant.name}-0` }
      return flood(over, { atOnce: 8 }, () => tenant.send('POST', '/preview', body))
    },
  },
  {
    name: 'batches of 146 frames that embed 30 of them each, 2 at once',
    run: (tenant, over) =>
      flood(over, { atOnce: 2 }, (round) => {
        const html = Array.from(
          { length: 30 },
          (_, at) => `<!-- svc/frame {"ref":"${tenant.name}-${round}-${at}"} /-->`,
        ).join('')
        const requests = Array.from({ length: 146 }, (_, at) => ({
          method: 'POST',
          path: '/frames',
          body: { slug: `${tenant.name}-${round}-${at}`, html },
        }))
        return tenant.send('POST', '/batch', { requests })
      }),
  },
]
