import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foldersTable } from '../../../src/build/publishing/network-marker.ts'
import { eventually } from '../../support/eventually.ts'
import { useFolder } from '../../support/use.ts'
import { useMovableCopies } from './copies-fixture.ts'

const moving = await useMovableCopies(12)
const { front, network, folder, relay, run, ids, store, records } = moving
const scratch = await useFolder('copies-elsewhere')
const inFolder = { STATIC_DIR: folder }
const move = (to: string, ...more: string[]) => run(inFolder, 'move', '--to', to, ...more)
const pathOf = (page: number | undefined) =>
  records().then((all) => {
    const url = all.find((record) => record.page === page)?.url ?? ''
    return join(folder, url.replace('http://', ''))
  })

let count = 0
let elsewhere: string
beforeEach(() => {
  count += 1
  elsewhere = join(scratch, `static-${count}`)
})
afterEach(() => {
  relay.interfere = () => undefined
})

describe('copies move', () => {
  it.each(['store', 'folder'])(
    'copies everything to a %s, as it is recorded, and nothing twice',
    async (kind) => {
      const to = kind === 'store' ? store : elsewhere
      const before = await records()
      const read =
        kind === 'store' ? moving.inStore : (url: string) => moving.inFolder(url, elsewhere)
      const first = await move(to, '--json')
      expect(first).toMatchObject({ code: 0, stderr: '' })
      const nothing = { removed: 0, waiting: 0, changing: false }
      expect(JSON.parse(first.stdout)).toEqual({ copies: 12, copied: 12, ...nothing })
      expect(await moving.differences(read)).toEqual([])
      const again = await move(to, '--json')
      expect(JSON.parse(again.stdout)).toEqual({ copies: 12, copied: 0, ...nothing })
      expect(await records()).toEqual(before)
      expect(await moving.differences(moving.inFolder)).toEqual([])
    },
  )

  it('copies what a record describes only; a damaged copy is published again first', async () => {
    const [, damaged, missing] = ids
    await writeFile(join(await pathOf(damaged), 'index.html'), 'damaged')
    await rename(await pathOf(missing), join(scratch, 'lost'))
    const stopped = await move(elsewhere, '--json')
    expect(stopped.code).toBe(1)
    expect(stopped.stderr).toContain('2 pages have no copy that could be moved')
    expect(JSON.parse(stopped.stdout)).toMatchObject({ copies: 10, copied: 10, waiting: 2 })

    const running = move(elsewhere, '--json')
    await front.executor.finish(2)
    const moved = await running
    expect(moved.code, moved.stderr).toBe(0)
    expect(JSON.parse(moved.stdout)).toMatchObject({ copies: 12, copied: 2, waiting: 0 })
    expect(await moving.differences((url) => moving.inFolder(url, elsewhere))).toEqual([])
  })

  it('replaces what is damaged in the new target, and removes what has no record any more', async () => {
    await move(elsewhere)
    const url = 'net.test/shop/about-us'
    await writeFile(join(elsewhere, url, 'index.html'), 'damaged')
    await rename(join(elsewhere, 'net.test/shop/moved-5'), join(elsewhere, 'net.test/shop/moved'))
    const again = await move(elsewhere, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ copies: 12, copied: 2, removed: 1 })
    expect(await readdir(join(elsewhere, 'net.test/shop'))).not.toContain('moved')
    expect(await moving.differences((one) => moving.inFolder(one, elsewhere))).toEqual([])
  })

  it('writes nothing into a target of another network', async () => {
    const identity = 'network: 00000000-0000-4000-8000-000000000000\n'
    await mkdir(elsewhere)
    await writeFile(join(elsewhere, '.wp-frames'), identity)
    const { code, stderr } = await move(elsewhere)
    expect([code, stderr]).toEqual([1, expect.stringContaining('belongs to another network')])
    expect(await readdir(elsewhere)).toEqual(['.wp-frames'])
  })

  it.each<[string, () => string, string]>([
    ['the present one', () => folder, 'is the present target of the static copies (STATIC_DIR)'],
    ['one within the present one', () => join(folder, 'in'), 'are one within the other'],
    ['one around the present one', () => dirname(folder), 'are one within the other'],
    ['a bucket that does not exist', () => store.replace('copies', 'missing'), 'does not exist'],
  ])('refuses %s', async (_, to, message) => {
    const { code, stderr } = await move(to())
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
  })

  it('knows the present one by another style of its address', async () => {
    const present = 's3://copies/live?endpoint=https://s3.example.net'
    const { code, stderr } = await run(
      { STATIC_TARGET: present },
      'move',
      '--to',
      `${present}&style=virtual`,
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining('is the present target')])
  })

  it('finds the present one behind a symbolic link', async () => {
    await symlink(folder, elsewhere)
    expect((await move(elsewhere)).stderr).toContain('is the present target')
  })

  it.each([
    ['s3://x', 'It names the bucket "x"'],
    ['http://net.test/', 'It is not the address of a store'],
    ['', 'Name a folder, or a store'],
  ])('refuses the target "%s"', async (to, message) => {
    const { code, stderr } = await move(to)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('needs a present target', async () => {
    const { code, stderr } = await run({ STATIC_DIR: '' }, 'move', '--to', elsewhere)
    expect([code, stderr]).toEqual([1, expect.stringContaining('There are no static copies')])
  })

  it('says so if the store refuses, and continues later', async () => {
    let puts = 0
    relay.interfere = ({ method, url = '' }) => {
      if (method !== 'PUT' || !url.includes('away/net.test')) return undefined
      puts += 1
      return puts > 3 ? { status: 403, code: 'AccessDenied' } : undefined
    }
    const to = store.replace('live', 'away')
    const { code, stderr } = await move(to)
    expect([code, stderr]).toEqual([1, expect.stringContaining('AccessDenied')])
    expect(stderr).not.toMatch(/\n\s+at |secret-of-the-test/)
    relay.interfere = () => undefined
    const again = await move(to, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ copies: 12, copied: 9 })
  })
})

describe('copies delete', () => {
  const at = { STATIC_DIR: '' }
  const remove = (old: string) => run({ ...at, STATIC_DIR: elsewhere }, 'delete', '--at', old)
  const everything = async () => {
    const names = await readdir(folder, { recursive: true })
    return createHash('sha256').update(names.sort().join()).digest('hex')
  }

  it('deletes nothing unless every copy is in the present target, as recorded', async () => {
    await move(elsewhere)
    await writeFile(join(elsewhere, 'net.test/shop/about-us/index.html'), 'damaged')
    const before = await everything()
    const { code, stderr } = await remove(folder)
    expect(code).toBe(1)
    expect(stderr).toContain('1 static copy in')
    expect(stderr).toContain('Nothing was deleted.')
    expect(await everything()).toBe(before)
  })

  it('deletes nothing without the marker of the network', async () => {
    await move(elsewhere)
    const marker = join(folder, '.wp-frames')
    const before = await everything()
    await rename(marker, join(scratch, 'marker'))
    const { code, stderr } = await remove(folder)
    expect([code, stderr]).toEqual([1, expect.stringContaining('has no marker (.wp-frames)')])
    await writeFile(marker, 'network: 00000000-0000-4000-8000-000000000000\n')
    expect((await remove(folder)).stderr).toContain('belongs to another network')
    await rename(join(scratch, 'marker'), marker)
    expect(await everything()).toBe(before)
  })

  it('ends after the first copy if both are the same store under two addresses', async () => {
    await move(store)
    const alias = store.replace('127.0.0.1', 'localhost')
    const before = relay.requests.length
    const { code, stderr } = await run({ STATIC_TARGET: store }, 'delete', '--at', alias)
    expect([code, stderr]).toEqual([1, expect.stringContaining('are the same target')])
    const deleted = relay.requests
      .slice(before)
      .filter((request) => request.startsWith('DELETE') && request.includes('net.test'))
    expect(deleted).toHaveLength(1)
    expect(JSON.parse((await move(store, '--json')).stdout)).toMatchObject({ copied: 1 })
  })

  it('deletes the copies and the marker, so that a process that still has the target writes nothing', async () => {
    await move(elsewhere)
    await move(store)
    const before = await everything()
    const preview = await run({ STATIC_DIR: elsewhere }, 'delete', '--at', folder, '--dry-run')
    expect(preview.stdout).toMatch(/^12 copies of this network would be deleted in /)
    expect(await everything()).toBe(before)
    const { code, stdout } = await run({ STATIC_DIR: elsewhere }, 'delete', '--at', folder)
    expect([code, stdout]).toEqual([0, expect.stringContaining('12 copies were deleted in')])
    expect(await readdir(folder)).toEqual(['.work'])
    await front.assign(2, 'page', [ids[0] ?? 0])
    expect(await readdir(folder)).toEqual(['.work'])
    const { db, globals } = network
    expect(await db.sql(foldersTable(globals)).pluck('path')).toContain(folder)
    await eventually(async () => {
      expect((await front.ask('http://net.test/shop/about-us/')).status).toBe(200)
    })
  })
})
