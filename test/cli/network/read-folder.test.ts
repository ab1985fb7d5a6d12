import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CommandError } from '../../../src/cli/cli-context.ts'
import { readFolder } from '../../../src/cli/network/read-folder.ts'
import { useFolder } from '../../support/use.ts'

const base = await useFolder('network')

let folders = 0

/** Writes a folder with these files and returns its path. */
async function folderWith(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  folders += 1
  const folder = join(base, String(folders))
  await mkdir(folder)
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return folder
}

/** A description with one bundle; the bundle's fields begin in line 5. */
const withBundle = (fields: string): string => `version: 1
name: shops
bundles:
  shop:
${fields.replace(/^/gm, '    ')}
sites:
  - match: {id: 2}
    bundles: [shop]
`

/** The lines of the error. */
async function problemsOf(reading: Promise<unknown>): Promise<string[]> {
  const error = await reading.then(
    () => undefined,
    (reason) => reason,
  )
  if (!(error instanceof CommandError)) throw error ?? new Error('there is no problem')
  return error.message.split('\n').slice(0, -1)
}

const problemsIn = async (files: Readonly<Record<string, string | Buffer>>): Promise<string[]> =>
  problemsOf(readFolder(await folderWith(files)))

const MENU = 'name: Main\nslug: main\n'

describe('readFolder', () => {
  it('reads the files that a description names', async () => {
    const folder = await folderWith({
      'network.yaml': `version: 1
name: shops
manages: all
bundles:
  shop:
    frames: [frames/*.html, {file: frames/old.html, slug: header, formerly: [top]}]
    menus: menus/*.yaml
    pages:
      /about: footer
      /: 
      /2024: ~
    variables: {phone: 01234, zip: 1234, open: no, since: 2024-01-01}
  legal:
    pages:
      - {path: /imprint, lang: no, frame: null}
sites:
  - match: {address: ["*.example.org"], option: {blog_public: 1}}
    bundles: [shop, legal]
    manages: named
    variables: {phone: "1"}
`,
      'frames/footer.html': '<p>\ufeff</p>',
      'frames/%63on.html': '',
      'frames/old.html': '<p></p>',
      'frames/.hidden.html': 'x',
      'frames/notes.txt': 'x',
      'menus/main.yaml': `${MENU}items: [about, {url: /x, as_is: true}]\nlocations: [{location: header}]`,
      'menus/a.yaml': '{"name": "A", "slug": "2024"}',
    })
    expect((await readFolder(folder)).description).toEqual({
      version: 1,
      name: 'shops',
      manages: 'all',
      bundles: {
        shop: {
          frames: [
            { slug: 'con', html: '', formerly: [] },
            { slug: 'footer', html: '<p>\ufeff</p>', formerly: [] },
            { slug: 'header', html: '<p></p>', formerly: ['top'] },
          ],
          menus: [
            { name: 'A', slug: '2024', locations: [], items: [], formerly: [] },
            {
              name: 'Main',
              slug: 'main',
              locations: [{ location: 'header' }],
              items: [{ page: 'about' }, { url: '/x', as_is: true }],
              formerly: [],
            },
          ],
          pages: [
            { path: '/about', frame: 'footer' },
            { path: '/', frame: null },
            { path: '/2024', frame: null },
          ],
          variables: { phone: '01234', zip: '1234', open: 'no', since: '2024-01-01' },
        },
        legal: {
          frames: [],
          menus: [],
          pages: [{ path: '/imprint', lang: 'no', frame: null }],
          variables: {},
        },
      },
      sites: [
        {
          match: { address: ['*.example.org'], option: { blog_public: ['1'] } },
          bundles: ['shop', 'legal'],
          manages: 'named',
          variables: { phone: '1' },
        },
      ],
    })
  })

  it('reports the line of each problem of network.yaml', async () => {
    const text = `version: 2
name: shops
name: again
bundles:
  shop:
    pages:
      /about: [x]
      /team: *alias
sites:
  - match:
      id: two
      option:
        admin_email: x
  - matches: {}
`
    expect(await problemsIn({ 'network.yaml': text })).toEqual([
      'network.yaml, line 3: Duplicate field "name".',
      'network.yaml, line 8: YAML aliases are not supported. Repeat the value instead.',
      expect.stringMatching(/^network.yaml, line 1: version: /),
      expect.stringMatching(/^network.yaml, line 11: sites\.0\.match\.id: /),
      expect.stringMatching(/^network.yaml, line 13: sites\.0\.match\.option\.admin_email: /),
      'network.yaml, line 14: sites.1.matches: Unknown field. Did you mean "match"?',
      expect.stringMatching(/^network.yaml, line 7: bundles\.shop\.pages\.\/about: /),
    ])
  })

  it.each([
    ['a: [', /^network\.yaml: Line 1, column 5: /],
    [`${'['.repeat(100)}`, /nested too deeply for a description/],
    ['a: 1\n---\nb: 1', /a second document begins/],
    ['', /^network\.yaml, line 1: description: /],
  ])('reports the YAML %j', async (text, message) => {
    expect((await problemsIn({ 'network.yaml': text }))[0]).toMatch(message)
  })

  it('reports the lines of problems in menus, and invalid frames', async () => {
    const problems = await problemsIn({
      'network.yaml': withBundle('frames: frames/*\nmenus: [a.yaml, b.yaml, c.yaml]'),
      'frames/No slug.html': '',
      'frames/binary.html': Buffer.from([0xff]),
      'frames/notes.txt': '',
      'a.yaml': `${MENU}items:\n  - page: x\n    url: y\n`,
      'b.yaml': 'name: B\nitems: []',
      'c.yaml': 'name: [',
    })
    expect(problems).toEqual([
      expect.stringMatching(/^frames\/No slug\.html: Invalid slug/),
      'frames/binary.html: "frames/binary.html" is not valid UTF-8. Save it in this encoding.',
      expect.stringMatching(/^frames\/notes\.txt: The name of the file must be the slug/),
      expect.stringMatching(/^a\.yaml, line 4, item 0: An item must have exactly one of/),
      'b.yaml: A menu of a description must have a "slug".',
      expect.stringMatching(/^c\.yaml: Line 1, column/),
    ])
  })

  it.each([
    ['../secret.html', 'outside'],
    ['frames/../../secret.html', 'outside'],
    ['..', 'outside'],
    ['../*.html', 'outside'],
    ['/etc/passwd', 'outside'],
    ['link.html', 'outside'],
    ['linked/secret.html', 'outside'],
    ['linked/*.html', 'outside'],
    ['missing.html', 'does not exist'],
    ['none/*.html', 'does not exist'],
    ['*.md', 'matches no file'],
    ['*/a.html', 'can only be in the name'],
    ['frames', 'is not a regular file'],
  ])('does not read %s', async (name, reason) => {
    const secret = join(base, 'secret.html')
    await writeFile(secret, 'secret')
    const folder = await folderWith({
      'network.yaml': withBundle(`frames: ["${name}"]`),
      'frames/a.html': '',
    })
    await symlink(secret, join(folder, 'link.html'))
    await symlink(base, join(folder, 'linked'))
    const [problem = '', ...others] = await problemsOf(readFolder(folder))
    expect(problem).toContain(`"${name}"`)
    expect(problem).toContain(reason)
    expect(others).toEqual([])
  })

  it('names files that no bundle has, and takes a pattern for an empty folder', async () => {
    const folder = await folderWith({
      'network.yaml': withBundle('frames: [frames/a.html, empty/*.html]'),
      'frames/a.html': '',
      'frames/b.html': '',
      'menus/main.yaml': MENU,
      'notes.md': '',
      '.hidden/c.html': '',
      'empty/.gitkeep': '',
    })
    expect(await readFolder(folder)).toMatchObject({
      description: { bundles: { shop: { frames: [{ slug: 'a' }] } } },
      unused: ['frames/b.html', 'menus/main.yaml'],
    })
  })

  it('follows symbolic links inside the folder', async () => {
    const folder = await folderWith({
      'network.yaml': withBundle('frames: linked.html'),
      'frames/a.html': 'a',
    })
    await symlink('frames/a.html', join(folder, 'linked.html'))
    expect((await readFolder(folder)).description.bundles.shop?.frames).toEqual([
      { slug: 'linked', html: 'a', formerly: [] },
    ])
  })

  it('limits the size of all files together', async () => {
    const files = Array.from({ length: 9 }, (_, index): [string, string] => [
      `frames/f${index}.html`,
      'x'.repeat(2 * 1024 * 1024),
    ])
    const problems = await problemsIn({
      'network.yaml': withBundle('frames: frames/*.html'),
      ...Object.fromEntries(files),
    })
    expect(problems).toEqual([
      expect.stringMatching(/^frames\/f7\.html: .*at most 16777216 bytes together/),
      expect.stringMatching(/^frames\/f8\.html: /),
    ])
  })

  it('names a folder that does not exist', async () => {
    await expect(readFolder(join(base, 'nowhere'))).rejects.toThrow(/^There is no folder .*nowhere/)
  })
})
