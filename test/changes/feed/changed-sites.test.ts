import { expect, it } from 'vitest'
import {
  ChangedSites,
  MAX_OPTIONS_PER_SITE,
  MAX_POSTS_PER_SITE,
  MAX_SITES,
} from '../../../src/changes/feed/changed-sites.ts'

const range = (length: number) => Array.from({ length }, (_, index) => index + 1)

it('the list of changed sites contains rows, and gives them away once', () => {
  const changes = new ChangedSites()
  expect(changes.isEmpty).toBe(true)
  changes.addPost(2, 7)
  changes.addPost(2, 7)
  changes.addOption(2, 'home')
  changes.addTerms(3)
  changes.addNetworkRow(3)
  expect(changes.isEmpty).toBe(false)
  const taken = changes.take()
  expect(taken).toEqual({
    everything: false,
    sites: new Map([
      [2, { posts: new Set([7]), options: new Set(['home']), terms: false, network: false }],
      [3, { posts: new Set(), options: new Set(), terms: true, network: true }],
    ]),
  })
  expect(changes.isEmpty).toBe(true)
  changes.addPost(2, 8)
  changes.merge(taken)
  expect(changes.take().sites.get(2)?.posts).toEqual(new Set([8, 7]))
})

it('the list of changed sites replaces too many rows of a site by all', () => {
  const changes = new ChangedSites()
  for (const id of range(MAX_POSTS_PER_SITE)) changes.addPost(2, id)
  changes.addPost(2, 1)
  expect(changes.hasAllPosts(2)).toBe(false)
  changes.addPost(2, 100_000)
  for (const id of range(MAX_OPTIONS_PER_SITE + 1)) changes.addOption(2, `o${id}`)
  const { sites } = changes.take()
  expect(sites.get(2)).toMatchObject({ posts: 'all', options: 'all' })
})

it('the list of changed sites replaces rows of many sites by all rows of further sites', () => {
  const changes = new ChangedSites()
  for (const blogId of range(1000)) for (const id of range(100)) changes.addPost(blogId, id)
  const { everything, sites } = changes.take()
  expect(everything).toBe(false)
  expect(sites.size).toBe(1000)
  expect(sites.get(1)?.posts).toHaveProperty('size', 100)
  expect(sites.get(1000)?.posts).toBe('all')
})

it('the list of changed sites replaces too many sites by everything', () => {
  const changes = new ChangedSites()
  for (const blogId of range(MAX_SITES + 1)) changes.addTerms(blogId)
  changes.addPost(2, 1)
  expect(changes.hasAllPosts(2)).toBe(true)
  expect(changes.take()).toEqual({ everything: true, sites: new Map() })
  changes.addPost(2, 1)
  changes.merge({ everything: true, sites: new Map() })
  expect(changes.take()).toEqual({ everything: true, sites: new Map() })
})
