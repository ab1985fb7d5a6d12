import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spawnCommand } from '../../support/cli-process.ts'
import { eventually } from '../../support/eventually.ts'
import { useFramesCli } from '../../support/frames-cli.ts'
import { connectionsOf } from '../../support/open-database.ts'
import { runsOf } from '../../support/runs-of.ts'

const cli = await useFramesCli()

const SLUGS = ['con', 'a', 'b-2', 'block__element--modifier', 'x--y', 'nul', '0123456789abcdef']
const PIECES = [
  '\0',
  '\r\n',
  '\r',
  '\n',
  '\u{feff}',
  'é',
  '€',
  '\\',
  '"',
  '%00',
  '<p>',
  ...SLUGS.map((slug) => `<!-- svc/frame {"name":"${slug}"} /-->`),
]
const markup = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme-ascii' })))
  .map((pieces) => pieces.join('') || '<br>')
const frames = fc.dictionary(fc.constantFrom(...SLUGS), markup)

/** The contents of the files of a folder by slug. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return Object.fromEntries(names.map((name, at) => [slugOf(name), texts[at] ?? '']))
}

const slugOf = (name: string): string => decodeURIComponent(name.slice(0, -'.html'.length))
/** The file name that a pull uses: in Windows device names, the first letter is encoded. */
const fileOf = (slug: string): string =>
  `${slug === 'con' || slug === 'nul' ? `%6${slug === 'con' ? 3 : 'E'}${slug.slice(1)}` : slug}.html`

const push = (...args: string[]) =>
  cli.run('push', '--allow-problems', cli.folder, '--site', '2', ...args)

/** Resets the site to these frames and deletes the folder. */
async function begin(site: Readonly<Record<string, string>>): Promise<void> {
  await cli.clear()
  await rm(cli.folder, { recursive: true, force: true })
  for (const [slug, html] of Object.entries(site)) await cli.put(slug, html)
}

describe('a folder and a site', () => {
  it('are equal after a push, and after another pull, after which a push has nothing to send', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(frames, frames, async (site, edited) => {
        await begin(site)
        await mkdir(cli.folder)
        await cli.run('pull', cli.folder, '--site', '2')
        for (const slug of Object.keys(site)) await rm(join(cli.folder, fileOf(slug)))
        for (const [slug, html] of Object.entries(edited))
          await writeFile(join(cli.folder, fileOf(slug)), html)
        const { stdout } = await push('--delete', '--no-bake')
        const stored = await cli.stored()
        // After a rename, the embedders contain the new name.
        expect(stored).toEqual(await filesIn(cli.folder))
        expect(Object.keys(stored).sort()).toEqual(Object.keys(edited).sort())
        if (!stdout.includes('(renamed')) expect(stored).toEqual(edited)
        expect((await push('--delete')).stdout).toContain('0 steps on 0 sites')
        await rm(cli.folder, { recursive: true })
        await cli.run('pull', cli.folder, '--site', '2')
        if (Object.keys(edited).length === 0) return
        expect(await filesIn(cli.folder)).toEqual(stored)
        expect((await push('--delete')).stdout).toContain('0 steps on 0 sites')
        expect(await cli.stored()).toEqual(stored)
      }),
      { numRuns: runsOf(20) },
    )
  })
})

describe('an interrupted push', () => {
  const COUNT = 40
  const slugs = Array.from({ length: COUNT }, (_, at) => `frame-${at}`)

  /** The number of connections of other processes to the database. */
  const otherConnections = async (): Promise<number> => {
    const { db } = cli.network
    const [[{ count }]] = await db.sql.raw(
      'SELECT COUNT(*) AS count FROM information_schema.processlist WHERE db = DATABASE()',
    )
    const { used, free } = connectionsOf(db)
    // The test reads through a pool of its own.
    const { pool } = db.sql.client
    return count - used - free - pool.numUsed() - pool.numFree()
  }

  it.each([
    ['SIGINT', 0],
    ['SIGKILL', 100],
  ] as const)(
    'by %s has sent all frames or none, and the next push completes it',
    { timeout: 120_000 },
    async (signal, ms) => {
      await begin({})
      await mkdir(cli.folder)
      for (const slug of slugs) await writeFile(join(cli.folder, `${slug}.html`), `<p>${slug}</p>`)
      const runs = `${cli.network.globals.basePrefix}svc_runs`
      await cli.network.db.sql(runs).delete()
      const { child, ended } = await spawnCommand(
        ['frames', 'push', '--allow-problems', cli.folder, '--site', '2', '--no-bake'],
        cli.env,
      )
      await expect.poll(() => isBegunOrEnded(runs, child), FAST).toBe(true)
      await new Promise((resolve) => setTimeout(resolve, ms))
      child.kill(signal)
      await ended
      // The transaction may still be running.
      await eventually(async () => expect(await otherConnections()).toBe(0))
      expect([0, COUNT]).toContain(Object.keys(await cli.stored()).length)
      expect(await push('--no-bake')).toMatchObject({ code: 0 })
      expect(Object.keys(await cli.stored())).toHaveLength(COUNT)
      const { frames: entries } = JSON.parse(
        await readFile(join(cli.folder, 'frames.json'), 'utf8'),
      )
      expect(entries).toHaveLength(COUNT)
    },
  )
  const FAST = { interval: 2, timeout: 50_000 }

  const isBegunOrEnded = async (
    runs: string,
    { exitCode }: { readonly exitCode: number | null },
  ): Promise<boolean> => {
    const rows = await cli.network.db.sql(runs).select('id')
    return rows.length > 0 || exitCode !== null
  }
})

it('a site with a 3-byte character set is not changed if one file cannot be stored', async () => {
  const narrow = await useFramesCli({ charset: 'utf8mb3' })
  await mkdir(narrow.folder, { recursive: true })
  await writeFile(join(narrow.folder, 'a.html'), 'a')
  await writeFile(join(narrow.folder, 'b.html'), '😀')
  const { results } = await narrow.json(1, 'push', narrow.folder, '--site', '2')
  expect(results).toMatchObject([
    { state: 'failed', message: expect.stringContaining('cannot store a character') },
  ])
  expect(await narrow.stored()).toEqual({})
})
