import { describe, expect, it } from 'vitest'
import { type ListedPage, obstaclesOf } from '../src/views/pages/visitors.ts'

describe('why visitors cannot open a page', () => {
  const page: ListedPage = {
    id: 1,
    title: 'A',
    path: 'a',
    url: 'http://net.test/a/',
    lang: 'en',
    translations: {},
    status: 'publish',
    protected: false,
    edited_at_gmt: null,
    edited_by: null,
    frame: { id: '0'.repeat(16), slug: 'page' },
    static: { state: 'written', url: 'http://net.test/a/', error: null },
  }
  const site = { state: 'live' as const, languages: [{ code: 'en', name: 'English', rtl: false }] }
  const none = { state: 'none', url: null, error: null } as const

  it.each<[string[], Partial<ListedPage>]>([
    [[], {}],
    [['draft', 'no frame'], { status: 'draft', frame: null, static: none }],
    [['acf-disabled'], { status: 'acf-disabled' }],
    [['password'], { protected: true, static: none }],
    [['frame missing'], { frame: { id: '1', slug: null }, static: none }],
    [['no copy yet'], { static: none }],
    [['copy pending'], { static: { ...none, state: 'pending' } }],
    [['copy fails'], { static: { ...none, state: 'failing', error: 'The disk is full.' } }],
    [['no language'], { lang: null }],
  ])('says %j', (short, change) => {
    const found = obstaclesOf({ ...page, ...change }, site)
    expect(found.map((one) => one.short)).toEqual(short)
    for (const { message } of found) expect(message).toMatch(/^[A-Z].*\.$/)
  })

  it('names a closed site', () => {
    const [found] = obstaclesOf(page, { ...site, state: 'archived' })
    expect(found?.message).toContain('The site is archived.')
  })
})
