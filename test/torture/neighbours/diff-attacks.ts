import { type Attack, flood, items, putFrames } from './attack.ts'
import type { Tenant } from './tenant.ts'

// Small requests of which the difference of two states is large. Nothing but the difference delays others.

type Item = { readonly url: string; readonly title: string; readonly children?: readonly Item[] }

/** Items below a chain of others: the path of each has the labels of all of these. */
const nested = (levels: number, label: string, leaves: number): readonly Item[] => {
  const lowest = Array.from({ length: leaves }, (_, at) => ({ url: `/${at}/`, title: 'l' }))
  let level: readonly Item[] = lowest
  for (let at = 0; at < levels; at += 1) level = [{ url: '/x/', title: label, children: level }]
  return level
}

/** Wide and deep: 99 chains of 100 levels. */
const forest = (): readonly Item[] => Array.from({ length: 99 }, () => nested(99, 'x', 1)).flat()

/** 2 MB of a million lines. */
const shortLines = (seed: number): string =>
  Array.from({ length: 1_000_000 }, (_, at) => (at * (seed + 7)) % 9).join('\n')

/** The same with some other lines: few enough that a diff is searched for, and so far apart that the search is long. */
function editedLines(seed: number): string {
  const lines = shortLines(seed).split('\n')
  for (let at = 0; at < lines.length; at += 1000) lines[at] = 'e'
  return lines.join('\n')
}

async function putMenu(tenant: Tenant, ...states: readonly (readonly object[])[]): Promise<void> {
  const { name } = tenant
  await tenant.send('POST', '/menus', { name, slug: name })
  for (const tree of states) await tenant.send('PUT', `/menus/${name}/items`, { items: tree })
}

/** The ids of the latest entries of the history. */
async function lastEntries(tenant: Tenant, count: number): Promise<number[]> {
  const { text } = await tenant.send('GET', `/history?limit=${count}`)
  return JSON.parse(text).entries.map(({ id }: { id: number }) => id)
}

/** Reads the latest entry again and again. */
async function readEntry(tenant: Tenant, over: () => boolean): Promise<void> {
  const [id] = await lastEntries(tenant, 1)
  // Each address is another read, of which no answer is kept.
  await flood(over, { atOnce: 4 }, (at) => tenant.send('GET', `/history/${id}?try=${at}`))
}

const replaceItems = (tenant: Tenant, tree: readonly object[]) => ({
  method: 'PUT',
  path: `/menus/${tenant.name}/items`,
  body: { items: tree },
})

export const DIFF_ATTACKS: readonly Attack[] = [
  {
    name: 'dry runs of a batch with 2,000 items below 98 labels of 40,000 characters, 2 at once',
    prepare: (tenant) => putMenu(tenant),
    run(tenant, over) {
      const requests = [replaceItems(tenant, nested(98, 'x'.repeat(40_000), 2000))]
      return flood(over, { atOnce: 2 }, () =>
        tenant.send('POST', '/batch', { dry_run: true, requests }),
      )
    },
  },
  {
    name: 'plans of an MCP client with 2,000 items below 98 labels of 40,000 characters, 2 at once',
    prepare: (tenant) => putMenu(tenant),
    run(tenant, over) {
      const tree = nested(98, 'x'.repeat(40_000), 2000)
      return flood(over, { atOnce: 2 }, () =>
        tenant.callTool('replace_menu_items', { ref: tenant.name, items: tree }),
      )
    },
  },
  {
    name: 'reads of the entry of a menu of 10,000 items in reverse order, 4 at once',
    prepare: (tenant) => putMenu(tenant, items(10_000), items(10_000).reverse()),
    run: readEntry,
  },
  {
    name: 'writes of a frame of a million lines over another one, 2 at once',
    prepare: (tenant) => putFrames(tenant, [shortLines(0)]),
    run: (tenant, over) =>
      flood(over, { atOnce: 2 }, (at) =>
        tenant.send('PUT', `/frames/${tenant.name}-0`, { html: shortLines(at) }),
      ),
  },
  {
    name: 'reads of the entry of a frame with two states of a million lines, 4 at once',
    async prepare(tenant) {
      await putFrames(tenant, [shortLines(0)])
      const html = shortLines(1)
      await tenant.send('PUT', `/frames/${tenant.name}-0`, { html, bake: false })
    },
    run: readEntry,
  },
  {
    name: 'dry runs of a restore of 4 frames with a million lines, 2 at once',
    async prepare(tenant) {
      await putFrames(tenant, [0, 1, 2, 3].map(shortLines))
      for (let at = 0; at < 4; at += 1) {
        const html = editedLines(at)
        await tenant.send('PUT', `/frames/${tenant.name}-${at}`, { html, bake: false })
      }
    },
    async run(tenant, over) {
      // After the last of the frames was created.
      const at = (await lastEntries(tenant, 5)).at(-1)
      await flood(over, { atOnce: 2 }, () => tenant.send('POST', '/restore', { at, dry_run: true }))
    },
  },
  {
    name: 'reads of a menu of 9,900 nested items and plans of it, 2 at once',
    prepare: (tenant) => putMenu(tenant, forest()),
    run: (tenant, over) =>
      flood(over, { atOnce: 2 }, (at) =>
        at % 2 === 0
          ? tenant.send('GET', `/menus/${tenant.name}?try=${at}`)
          : tenant.callTool('replace_menu_items', { ref: tenant.name, body: { items: forest() } }),
      ),
  },
  {
    name: 'dry runs of a restore that deletes 2,000 frames, 2 at once',
    async prepare(tenant) {
      for (let from = 0; from < 2000; from += 200) {
        const requests = Array.from({ length: 200 }, (_, at) => ({
          method: 'POST',
          path: '/frames',
          body: { slug: `${tenant.name}-${from + at}`, html: 'x' },
        }))
        await tenant.send('POST', '/batch', { requests, bake: false })
      }
    },
    run: (tenant, over) =>
      flood(over, { atOnce: 2 }, () =>
        tenant.send('POST', '/restore', { at: '2000-01-01T00:00:00Z', dry_run: true }),
      ),
  },
]
