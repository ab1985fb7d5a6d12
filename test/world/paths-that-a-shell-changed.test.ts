import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandsOn } from '../support/cli.ts'
import { useNetwork } from '../support/network.ts'
import { useFolder } from '../support/use.ts'

/**
 * Git Bash and MSYS2 make a path of Windows of each argument that begins with a slash.
 * Right: MSYS2, "Filesystem Paths": MSYS_NO_PATHCONV stops that; a path without the first slash is not changed.
 */
describe('paths that a shell on Windows changed', async () => {
  const network = await useNetwork()
  const { run } = commandsOn(network)

  it.each(['/site/2/menus', 'site/2/menus', '//site/2/menus'])('%s is a path', async (path) => {
    const { code, stdout } = await run('api', 'GET', path)
    expect([code, JSON.parse(stdout).site_id]).toEqual([0, 2])
  })

  it.each(['C:/Program Files/Git/site/2/menus', 'C:/msys64/site/2/menus', 'd:\\git\\site'])(
    '%s is named as what it is',
    async (path) => {
      const { code, stderr } = await run('api', 'GET', path)
      expect([code, stderr]).toEqual([2, expect.stringContaining('MSYS_NO_PATHCONV')])
    },
  )

  it.each([
    ['C:/Program Files/Git/old', 'new'],
    ['/old', 'C:/msys64/new'],
  ])('frames replace %s %s writes nothing', async (from, to) => {
    const { code, stderr } = await run('frames', 'replace', from, to, '--site', '2')
    expect([code, stderr]).toEqual([2, expect.stringContaining('MSYS_NO_PATHCONV')])
  })

  it('a body that is no JSON is described', async () => {
    const file = join(await useFolder('body'), 'body.json')
    await writeFile(file, '\ufeff{"name":"With a mark"}')
    const post = (data: string) => run('api', 'POST', '/site/2/menus', '--data', data)
    expect((await post(`@${file}`)).code).toBe(0)
    expect((await post('{"name":')).stderr).toMatch(/--data is not JSON: .*position|end of JSON/)
  })
})
