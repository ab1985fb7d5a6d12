import { describe, expect, it } from 'vitest'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { KEY_FORMS, menuItemKeys, menuKeys } from '../../../src/wordpress/cache-keys.ts'
import { deleteOptions, writeOptions } from '../../../src/wordpress/options/write-options.ts'
import { deletePostMeta, setPostsMeta } from '../../../src/wordpress/postmeta.ts'
import { useNetwork } from '../../support/network.ts'
import { openTestDatabase } from '../../support/open-database.ts'
import { use } from '../../support/use.ts'

const forgotten: string[][] = []

const network = await useNetwork()
const site = await network.site(2)
const db = await use(
  openTestDatabase({
    url: network.url,
    poolSize: 2,
    onInvalidate: async (_tx, keys) => void forgotten.push([...keys].sort()),
  }),
)

const OPTIONS = ['2:options:alloptions', '2:options:notoptions']

/** The keys that WordPress's functions delete (clean_post_cache, clean_term_cache), row by row. */
describe('the stale keys', () => {
  it('of menu items', () => {
    expect([...menuItemKeys(site, [5])].sort()).toEqual([
      '2:nav_menu_relationships:5',
      '2:post_meta:5',
      '2:posts:5',
      '2:posts:last_changed',
      '2:posts:post_parent:5',
    ])
  })

  it('of menus', () => {
    expect(menuKeys(site, [3]).sort()).toEqual([
      '2:term_meta:3',
      '2:terms:3',
      '2:terms:last_changed',
    ])
  })
})

describe('a commit invalidates', () => {
  it('written and deleted options, all in one call', async () => {
    await db.write({}, async (tx) => {
      await writeOptions(tx, site, [{ name: 'svc_a', value: '1' }], 'off')
      await deleteOptions(tx, site, ['svc_b'])
    })
    expect(forgotten.splice(0)).toEqual([[...OPTIONS, '2:options:svc_a', '2:options:svc_b'].sort()])
  })

  it('the meta of posts', async () => {
    await db.write({}, (tx) => setPostsMeta(tx, site, '_svc_frame', new Map([[7, 'x']])))
    await db.write({}, (tx) => deletePostMeta(tx, site, [7, 8], '_svc_frame'))
    expect(forgotten.splice(0)).toEqual([
      ['2:post_meta:7', '2:posts:last_changed'],
      ['2:post_meta:7', '2:post_meta:8', '2:posts:last_changed'],
    ])
  })

  it('nothing after a rollback or a dry run', async () => {
    const write = { userId: 2, now: '2026-01-02 03:04:05', bake: true, slug: 'tried', html: 'x' }
    await db.write({ dryRun: true }, (tx) => createFrame(tx, site, write))
    await expect(
      db.write({}, async (tx) => {
        await deleteOptions(tx, site, ['svc_b'])
        throw new Error('taken back')
      }),
    ).rejects.toThrow('taken back')
    expect(forgotten).toEqual([])
  })
})

/** Keys that the drop-ins created on a real network with a real Redis. */
describe('the key in Redis', () => {
  it.each([
    ['', '2:options:alloptions', '2:options:alloptions'],
    ['', ':site-options:1:notoptions', ':site-options:1-notoptions'],
    ['wp:', '2:posts:post_parent:5', 'wp:2:posts:post_parent-5'],
    ['wp:', ':users:1', 'wp::users:1'],
    [' wp ', '1:options:a b', 'wp1:options:a b'],
  ])('of Redis Object Cache with the prefix "%s" for %s is %s', (prefix, key, stored) => {
    expect(KEY_FORMS['redis-object-cache'](prefix, key)).toBe(stored)
  })

  it.each([
    ['', '2:options:alloptions', '2:options:alloptions'],
    ['', ':site-options:1:notoptions', 'site-options:1:notoptions'],
    ['wp:', '2:posts:post_parent:5', 'wp:2:posts:post_parent:5'],
    ['wp:', ':users:1', 'wp:users:1'],
    ['w p', '1:options:a b', 'wp1:options:ab'],
  ])('of WP Redis with the prefix "%s" for %s is %s', (prefix, key, stored) => {
    expect(KEY_FORMS['wp-redis'](prefix, key)).toBe(stored)
  })
})
