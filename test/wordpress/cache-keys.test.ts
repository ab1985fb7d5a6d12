import { describe, expect, it } from 'vitest'
import { KEY_FORMS } from '../../src/wordpress/cache-keys.ts'

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
