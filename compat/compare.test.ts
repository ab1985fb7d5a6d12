import { beforeAll, describe, expect, it } from 'vitest'
import type { ComparisonReport } from '../src/api/compare/comparison-report.ts'
import { RateLimits } from '../src/record/auth/rate-limits.ts'
import { runCommand } from '../test/support/cli.ts'
import { use, useFolder } from '../test/support/use.ts'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { type Deviations, type OldEndpoint, oldEndpoint } from './support/old-endpoint.ts'

const folder = await useFolder('compare')
const fixture: CompatFixture = await use(
  // Both answer X-RateLimit-Remaining.
  createCompatFixture({
    api: { limits: new RateLimits({ rateLimitPerMinute: 1_000_000, authFailuresPerMinute: 1000 }) },
  }),
)
const old: OldEndpoint = oldEndpoint()
const { api, admin, site, done } = fixture
const tokens = {
  WP_FRAMES_OLD_TOKEN: await old.token(admin),
  WP_FRAMES_TOKEN: await api.token(admin),
}

/** Frames that embed each other, read data and are on pages, and menus with items of each type. */
beforeAll(async () => {
  const [about, team] = await fixture.wp<number[]>('make_pages', [
    { title: 'About & more' },
    { title: 'Team', under: 0 },
  ])
  const frame = (slug: string, html: string) => done('post', '/frames', { slug, html, bake: false })
  await frame('card', '<div>Ünï\n<b data-op-bind="text:page.title"></b></div>\n')
  await frame('card__title', '<h2>one</h2>')
  await frame(
    'page',
    '<!DOCTYPE html><html><body><!-- svc/frame {"name":"card"} /--><!-- svc/menu {"location":"header"} /--></body></html>',
  )
  for (const page of [about, team]) await done('post', '/frames/page/assign', { page, bake: false })
  await done('post', '/menus', {
    name: 'Main "menu"',
    location: 'header',
    items: [
      { page: about, children: [{ page: team, title: 'The team' }] },
      { url: '/contact', title: 'Contact', target: '_blank', classes: 'a b' },
    ],
  })
  await done('post', '/menus', { name: 'Empty', location: 'footer_1' })
})

/** The report on the site, while the old endpoint deviates. */
async function compare(
  deviations: Deviations,
  ...args: string[]
): Promise<ComparisonReport & { readonly code: number }> {
  await old.deviate(admin, deviations)
  const sides = ['--old', old.url, '--new', api.url, '--site', String(site.blogId)]
  const environment = { ...tokens, XDG_CONFIG_HOME: folder, LOG_LEVEL: 'silent' }
  const { code, stdout, stderr } = await runCommand(
    ['compare', ...sides, '--json', ...args],
    environment,
  ).finally(() => old.deviate(admin, {}))
  if (stdout === '') throw new Error(stderr)
  return { ...JSON.parse(stdout), code }
}

const fieldsOf = ({ differences }: ComparisonReport): string[] =>
  differences.map(({ route, field, kind }) => `${route} ${field} ${kind}`).sort()

describe('compare with a real endpoint in PHP', () => {
  it.each([[[]], [['--deep']]])('finds no difference on a clean site %j', async (args) => {
    const report = await compare({}, ...args)
    expect([fieldsOf(report), report.noise, report.not_comparable]).toEqual([[], [], []])
    expect(report.code).toBe(0)
  })

  it.each<[Deviations, readonly string[]]>([
    [
      { order: true, on: 'frames', method: 'GET' },
      ['GET /frames frames[] order', 'GET /frames frames[].pages[] order'],
    ],
    [
      { arrays: true },
      [
        'GET /frames frames[].inserts type',
        'GET /frames/{ref} frame.inserts type',
        'PUT /frames/{ref} frame.inserts type',
        'PUT /frames/{ref} inserts type',
      ],
    ],
    [
      { notices: true, on: 'menus' },
      ['GET /menus body text_around_json', 'PATCH /menus/{ref} body text_around_json'],
    ],
    [{ ids: true, on: 'menus' }, ['GET /menus menus[].id type', 'GET /menus site_id type']],
    [{ missing: true, on: 'frames' }, []],
    [
      { extra: true, on: 'data' },
      [
        'GET /data/{source} items[].children[].extra missing',
        'GET /data/{source} items[].extra missing',
        'GET /data/{source} menu.extra missing',
      ],
    ],
    [
      { value: 'binds', on: 'frames' },
      [
        'GET /frames frames[].binds value',
        'GET /frames/{ref} frame.binds value',
        'PUT /frames/{ref} binds value',
        'PUT /frames/{ref} frame.binds value',
      ],
    ],
    [{ markup: true }, ['GET /frames frames[].html markup']],
    [{ html: true, on: 'data' }, ['GET /data/{source} body not_json']],
    [{ login: true, on: 'menus', method: 'GET' }, ['GET /menus status status']],
    [{ errors: true, on: 'data' }, ['GET /data/{source} status status']],
  ])('finds a deviation and no other: %j', async (deviations, expected) => {
    const report = await compare(deviations)
    expect(fieldsOf(report)).toEqual(expected)
    expect(report.noise).toEqual([])
    expect(report.sites[1]?.requests.old).toBeLessThanOrEqual(15)
  })

  it('lists what the old endpoint lacks apart, and marks it as slow', async () => {
    const missing = await compare({ missing: 'updated_by', on: 'frames' })
    expect([missing.code, fieldsOf(missing)]).toEqual([0, []])
    expect(missing.apart).toContainEqual(
      expect.objectContaining({ field: 'frames[].updated_by', kind: 'additional_field' }),
    )
    const slow = await compare({ slow: 500, on: 'data' })
    expect([slow.code, fieldsOf(slow)]).toEqual([0, []])
    expect(slow.times).toContainEqual(
      expect.objectContaining({ route: 'GET /data/{source}', slow: 'old' }),
    )
  })

  it('finds errors at times apart, and waits when it is busy', async () => {
    const withErrors = () => compare({ errors: 0.3, on: 'frames', method: 'GET' })
    let errors = await withErrors().catch(() => undefined)
    // The first look at the endpoint may meet an error too.
    for (let tries = 0; tries < 10 && !errors; tries += 1)
      errors = await withErrors().catch(() => undefined)
    if (!errors) throw new Error('each comparison met an error at its first look')
    expect(errors.differences.filter(({ kind }) => kind !== 'status')).toEqual([])
    const busy = await compare({ busy: 5 })
    expect([busy.code, fieldsOf(busy)]).toEqual([0, []])
  })

  it('stops if the old endpoint writes in spite of dry_run', async () => {
    await expect(compare({ dry_run: true })).rejects.toThrow(/Run it with --no-dry-runs/)
    const report = await compare({ dry_run: true }, '--no-dry-runs')
    // Lists without markup show a frame as wp-frames has written it last, until the doctor runs.
    expect(fieldsOf(report)).toEqual(['GET /frames frames[].updated_at_gmt value'])
  })
})
