import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { type FramesCli, sha256, startFramesCli } from '../../support/frames-cli.ts'

let cli: FramesCli
beforeAll(async () => {
  cli = await startFramesCli()
})
afterAll(() => cli.stop())

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
  .map((pieces) => pieces.join(''))
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

/** Resets the site to these frames and deletes the folder. */
async function begin(site: Readonly<Record<string, string>>): Promise<void> {
  await cli.clear()
  await rm(cli.folder, { recursive: true, force: true })
  for (const [slug, html] of Object.entries(site)) await cli.put(slug, html)
}

describe('a folder and a site', () => {
  it('are equal after a pull, and a push has nothing to send', async () => {
    await fc.assert(
      fc.asyncProperty(frames, async (site) => {
        await begin(site)
        await mkdir(cli.folder)
        expect((await cli.run('pull', cli.folder, '--site', '2')).code).toBe(0)
        expect(await filesIn(cli.folder)).toEqual(site)
        const { code, stdout } = await cli.run('push', cli.folder, '--site', '2', '--delete')
        expect([code, stdout]).toEqual([0, 'nothing to send\n'])
        expect(await cli.stored()).toEqual(site)
      }),
      { numRuns: 12 },
    )
  })

  it('are equal after a push, and another pull writes the edits', async () => {
    await fc.assert(
      fc.asyncProperty(frames, frames, async (site, edited) => {
        await begin(site)
        await mkdir(cli.folder)
        await cli.run('pull', cli.folder, '--site', '2')
        for (const slug of Object.keys(site)) await rm(join(cli.folder, fileOf(slug)))
        for (const [slug, html] of Object.entries(edited))
          await writeFile(join(cli.folder, fileOf(slug)), html)
        const sent = await cli.json(0, 'push', cli.folder, '--site', '2', '--delete', '--no-bake')
        const stored = await cli.stored()
        // After a rename, the embedders contain the new name.
        expect(stored).toEqual(await filesIn(cli.folder))
        expect(Object.keys(stored).sort()).toEqual(Object.keys(edited).sort())
        if (sent.frames.every(({ did }: { did: string }) => did !== 'rename'))
          expect(stored).toEqual(edited)
        await rm(cli.folder, { recursive: true })
        await cli.run('pull', cli.folder, '--site', '2')
        if (Object.keys(edited).length > 0) expect(await filesIn(cli.folder)).toEqual(stored)
      }),
      { numRuns: 20 },
    )
  })
})

describe('an interrupted push', () => {
  const COUNT = 80
  const slugs = Array.from({ length: COUNT }, (_, at) => `frame-${at}`)

  /** Starts a push of many frames and sends a signal after some of them. */
  async function interrupt(signal: NodeJS.Signals) {
    await begin({})
    await mkdir(cli.folder)
    for (const slug of slugs) await writeFile(join(cli.folder, `${slug}.html`), `<p>${slug}</p>`)
    const { child, ended } = await cli.spawn('push', cli.folder, '--site', '2')
    await expect.poll(async () => Object.keys(await recorded()).length, FAST).toBeGreaterThan(2)
    child.kill(signal)
    return ended
  }
  const FAST = { interval: 2, timeout: 50_000 }

  const recorded = async (): Promise<Record<string, string>> => {
    const text = await readFile(join(cli.folder, 'frames.json'), 'utf8').catch(() => undefined)
    const { frames: entries } = text === undefined ? { frames: [] } : JSON.parse(text)
    return Object.fromEntries(
      entries.map(({ slug, sha256: hash }: Record<string, string>) => [slug, hash]),
    )
  }
  const digests = async () =>
    Object.fromEntries(
      Object.entries(await cli.stored()).map(([slug, html]) => [slug, sha256(html)]),
    )
  /** The number of connections of other processes to the database. */
  const otherConnections = async (): Promise<number> => {
    const { db } = cli.network
    const [[{ count }]] = await db.sql.raw(
      'SELECT COUNT(*) AS count FROM information_schema.processlist WHERE db = DATABASE()',
    )
    const { used, free } = db.poolUse()
    return count - used - free
  }
  const pushAgain = async () => {
    const { code, stdout } = await cli.run('push', cli.folder, '--site', '2', '--no-bake')
    expect([code, Object.keys(await cli.stored()).length]).toEqual([0, COUNT])
    expect(await recorded()).toEqual(await digests())
    return stdout
  }

  it('by Ctrl-C completes the current frame, reports the progress, and is continued by the next push', async () => {
    const { code, stdout, stderr } = await interrupt('SIGINT')
    const sent = Object.keys(await recorded()).length
    expect(code).toBe(130)
    expect(stdout.trimEnd().split('\n')).toHaveLength(sent)
    expect(stderr).toContain(
      `Stopped: ${sent} created, ${COUNT - sent} left; push again to continue.\n`,
    )
    expect(await recorded()).toEqual(await digests())
    expect(await pushAgain()).toContain(`${COUNT - sent} created\n`)
  })

  it('by a crash is continued by the next push', async () => {
    await interrupt('SIGKILL')
    // The last transaction may still be running.
    await eventually(async () => expect(await otherConnections()).toBe(0))
    const stored = Object.keys(await cli.stored()).length
    expect(stored - Object.keys(await recorded()).length).toBeLessThanOrEqual(1)
    expect(await pushAgain()).toContain(`${COUNT - stored} created\n`)
  })
})

describe('a site with a 3-byte character set', () => {
  it('is not changed if one file cannot be stored', async () => {
    const narrow = await startFramesCli({ charset: 'utf8mb3' })
    await mkdir(narrow.folder, { recursive: true })
    await writeFile(join(narrow.folder, 'a.html'), 'a')
    await writeFile(join(narrow.folder, 'b.html'), '😀')
    const { problems } = await narrow.json(1, 'push', narrow.folder, '--site', '2')
    expect(problems).toMatchObject([{ slug: 'b', kind: 'invalid' }])
    expect(await narrow.stored()).toEqual({})
    await narrow.stop()
  })
})
