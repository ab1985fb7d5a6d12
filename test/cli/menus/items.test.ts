import { describe, expect, it } from 'vitest'
import { answer } from '../../support/cli.ts'
import { useMenusCli } from '../../support/menus-cli.ts'

const cli = await useMenusCli()
const site = await cli.network.site(2)

/** A new menu with these pages, and its items by title. */
async function createMenu(slug: string, titles: readonly string[]) {
  const items = titles.map((title) => ({ url: `/${title.toLowerCase()}`, title }))
  const file = await cli.file({ name: slug, slug, items })
  const { code, stderr } = await cli.run('import', file, '--site', '2', '--no-wait')
  if (code !== 0) throw new Error(stderr)
  const stored = await cli.itemsOf(slug, site)
  return new Map(stored.map(({ title, id }) => [title, id]))
}

const idIn = (items: ReadonlyMap<string, number>, title: string): string =>
  String(items.get(title) ?? '')

/** `A B(C)`: the titles in order, with the titles below each. */
async function treeOf(slug: string): Promise<string> {
  const items = await cli.itemsOf(slug, site)
  const level = (parent: number): string =>
    items
      .filter((item) => item.parent === parent)
      .map(({ id, title }) => {
        const below = level(id)
        return below === '' ? title : `${title}(${below})`
      })
      .join(' ')
  return level(0)
}

const run = (...args: string[]) => cli.run('items', ...args, '--site', '2')

describe('menus items add', () => {
  it('prints the title as people read it', async () => {
    await createMenu('reading', [])
    const { stdout } = await run('add', 'reading', '--url', '/qa', '--title', 'Q&A')
    expect(stdout).toContain('has the item "Q&A" (')
  })

  it('adds an item at the end of a level', async () => {
    const items = await createMenu('adding', ['A', 'B'])
    const dry = await run('add', 'adding', '--url', '/c', '--title', 'C', '--dry-run')
    expect(dry.stdout).toContain('added "C" from nothing to "http://net.test/shop/c"')
    expect(await treeOf('adding')).toBe('A B')
    const { code, stdout } = await run('add', 'adding', '--url', '/c', '--title', 'C')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^The menu "adding" has the item "C" \(\d+\) now, .* Items in the menu: 3\.\n/,
      ),
    ])
    const parent = idIn(items, 'A')
    const below = ['--parent', parent, '--title', 'T', '--json']
    const added = await run('add', 'adding', '--page', 'about-us/team', ...below)
    expect(JSON.parse(added.stdout)).toMatchObject({
      success: true,
      item: { title: 'T', parent: Number(parent) },
    })
    expect(await treeOf('adding')).toBe('A(T) B C')
  })

  it('shows what it would do to the menu at a location in a language', async () => {
    const args = ['add', '~header', '--lang', 'fr', '--url', '/x', '--title', 'X', '--dry-run']
    const { code, stdout, stderr } = await run(...args)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('added "X"')
  })

  it('needs one target, and a menu that exists', async () => {
    const none = await run('add', 'adding')
    expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(/page.*url|url.*page/i)])
    const { code, stderr } = await run('add', 'nothing', '--url', '/x')
    expect([code, stderr]).toEqual([1, expect.stringContaining('"nothing"')])
  })
})

describe('menus items move', () => {
  it('moves an item below another one, and to a position', async () => {
    const items = await createMenu('moving', ['A', 'B', 'C', 'D'])
    const [a, b, c, d] = ['A', 'B', 'C', 'D'].map((title) => idIn(items, title))
    const first = await run('move', 'moving', `${c}`, '--position', '1')
    expect(first.stdout).toContain(
      `The item ${c} of the menu "moving" is number 1 on the top level now.\n`,
    )
    expect(await treeOf('moving')).toBe('C A B D')
    await run('move', 'moving', `${a}`, '--parent', `${d}`)
    await run('move', 'moving', `${b}`, '--parent', `${d}`, '--position', '1')
    expect(await treeOf('moving')).toBe('C D(B A)')
    const dry = await run('move', 'moving', `${a}`, '--parent', '0', '--position', '2', '--dry-run')
    expect(dry.stdout).toContain('moved "A"')
    expect(await treeOf('moving')).toBe('C D(B A)')
    await run('move', 'moving', `${a}`, '--parent', '0', '--position', '2')
    expect(await treeOf('moving')).toBe('C A D(B)')
    await run('move', 'moving', `${c}`, '--position', '99')
    expect(await treeOf('moving')).toBe('A D(B) C')
  })

  it('fails for an item of another menu, and below itself', async () => {
    const items = await createMenu('failing', ['A'])
    const id = idIn(items, 'A')
    const other = await run('move', 'footer', id, '--position', '1')
    expect(other.stderr).toMatch(/^The menu "Footer" has no item \d+\. "wp-frames menus show 26 /)
    expect((await run('move', 'failing', id, '--parent', id)).code).toBe(1)
    expect((await run('move', 'failing', id)).code).toBe(2)
    expect((await run('move', 'failing', id, '--position', '0')).code).toBe(2)
  })
})

it('menus items remove deletes an item with the items below it, and asks on a terminal', async () => {
  const items = await createMenu('removing', ['A', 'B', 'C'])
  const [a, b] = ['A', 'B'].map((title) => idIn(items, title))
  await run('move', 'removing', `${b}`, '--parent', `${a}`)
  const args = ['menus', 'items', 'remove', 'removing', `${a}`, '--site', '2']
  const no = await answer('n', args, cli.env)
  expect(no.output).toContain('removed "A" / "B"')
  expect(no.output).toContain(`Delete the item ${a}, with all items below it? [y/N]`)
  expect(await treeOf('removing')).toBe('A(B) C')
  const { code, stdout } = await run('remove', 'removing', `${a}`)
  expect(code).toBe(0)
  expect(stdout).toContain(
    `Items of the menu "removing" deleted: ${a}, ${b}. Items in the menu now: 1.\n`,
  )
  expect(await treeOf('removing')).toBe('C')
})
