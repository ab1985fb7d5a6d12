import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { useFramesCli } from '../../support/frames-cli.ts'
import { useFolder } from '../../support/use.ts'

const cli = await useFramesCli()
const { folder } = cli

beforeEach(async () => {
  await cli.clear()
  for (const slug of ['both', 'here', 'moved', 'removed', 'same', 'there', 'twice'])
    await cli.put(slug, `<p>${slug}</p>\n`)
  await cli.run('pull', folder, '--site', '2')
})

const write = (file: string, html: string) => writeFile(join(folder, file), html)

async function changeAll(): Promise<void> {
  await write('here.html', '<p>edited</p>\n')
  await cli.put('there', '<p>edited</p>\n')
  await write('both.html', '<p>folder</p>\n')
  await cli.put('both', '<p>site</p>\n')
  await write('twice.html', '<p>equal</p>\n')
  await cli.put('twice', '<p>equal</p>\n')
  await rm(join(folder, 'removed.html'))
  await rename(join(folder, 'moved.html'), join(folder, 'renamed.html'))
  await write('added.html', 'added')
  await cli.put('appeared', 'appeared')
}

describe('frames status', () => {
  it('lists what was done on both sides', async () => {
    expect(await cli.run('status', folder)).toEqual({
      code: 0,
      stdout: 'The folder and the site are equal.\n',
      stderr: '',
    })
    await changeAll()
    const { code, stdout } = await cli.run('status', folder)
    expect(code).toBe(0)
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['file', 'folder', 'site'],
      ['added.html', 'new'],
      ['appeared.html', 'new'],
      ['both.html', 'edited', 'edited'],
      ['here.html', 'edited'],
      ['removed.html', 'removed'],
      ['renamed.html', 'renamed'],
      ['there.html', 'edited'],
      ['4 to push, 2 to pull, 1 in conflict'],
      [''],
    ])
  })

  it('prints it as other lists, and exits with 2 if it is asked to', async () => {
    await cli.remove('same')
    const id = expect.stringMatching(/^[0-9a-f]{16}$/)
    expect(await cli.json(0, 'status', folder)).toEqual([
      { slug: 'same', file: 'same.html', folder: '', site: 'deleted', id: null },
    ])
    await write('here.html', 'x')
    expect(await cli.json(2, 'status', folder, '--exit-code')).toMatchObject([{ id }, {}])
    expect((await cli.run('status', folder, '--format', 'ids')).stdout).toBe('here\nsame\n')
  })

  it('needs a folder that was pulled, or a site', async () => {
    const other = await useFolder('unpulled')
    await writeFile(join(other, 'same.html'), '<p>same</p>\n')
    const { code, stderr } = await cli.run('status', other)
    expect([code, stderr]).toEqual([1, expect.stringContaining('Name the site with --site')])
    const { stdout } = await cli.run('status', other, '--site', '2')
    expect(stdout).toContain('6 to pull\n')
    expect((await cli.run('status', folder, '--site', '3')).stderr).toContain('not of site 3')
  })
})

it('frames diff shows the markup of both sides', async () => {
  expect((await cli.run('diff', folder)).stdout).toBe('')
  await changeAll()
  const { code, stdout } = await cli.run('diff', folder, '--exit-code')
  expect(code).toBe(2)
  expect(stdout).toContain(
    `--- net.test/shop: both\n+++ ${folder}/both.html\n@@ -1,1 +1,1 @@\n-<p>site</p>\n+<p>folder</p>\n`,
  )
  expect(stdout).toContain(`--- /dev/null\n+++ ${folder}/added.html\n`)
  expect(stdout).toContain('--- net.test/shop: removed\n+++ /dev/null\n')
  expect(stdout).toContain('The frame "moved" has the slug "renamed" in the folder.\n')
  expect(stdout).not.toContain('twice')
})

it('frames push takes the site of the folder', async () => {
  await write('here.html', '<p>pushed</p>\n')
  const { code, stderr } = await cli.run('push', folder)
  expect([code, stderr]).toEqual([0, ''])
  expect(await cli.stored()).toMatchObject({ here: '<p>pushed</p>\n' })
  const other = await useFolder('unpulled')
  await mkdir(join(other, 'site-5'))
  const network = await cli.run('push', other, '--network')
  expect(network.stderr).toBe(
    'net.test/archived (site 5) is left out, because it is in the state "archived": add --include archived.\n',
  )
  const refused = await cli.run('push', other)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('Name the site with --site'),
  ])
})
