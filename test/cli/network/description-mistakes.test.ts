import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { commandsOn, runCommand } from '../../support/cli.ts'
import { useNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { useFolder } from '../../support/use.ts'

const network = await useNetwork()
const { environment } = commandsOn(network)
await createSiteFixture(network.db, await network.site(2)).page({ slug: 'described' })
const folder = await useFolder('mistakes')

const run = (...args: string[]) => runCommand(args, environment)

beforeEach(async () => {
  await writeFile(
    join(folder, 'network.yaml'),
    `version: 1
name: mistakes
sites:
  - match: { id: 2 }
    bundles: [base]
    variables: { tone: soft }
bundles:
  base: { menus: menu.yaml }
`,
  )
  await writeFile(
    join(folder, 'menu.yaml'),
    `name: Main
slug: main
items:
  - page: described
`,
  )
})

describe('mistakes in a description', () => {
  const change = async (file: string, from: string, to: string): Promise<void> => {
    const path = join(folder, file)
    await writeFile(path, (await readFile(path, 'utf8')).replace(from, to))
  }

  it.each(['plan', 'apply'])('are reported with file and line by %s', async (command) => {
    await change('network.yaml', '[base]', '[bsae]')
    expect(await run(command, folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        '\nnetwork.yaml, line 5: sites.0.bundles: There is no bundle "bsae". Did you mean "base"?\n',
      ),
    })
    await change('network.yaml', '[bsae]', '[base]')
    await change(
      'menu.yaml',
      'items:',
      'locations: [{ location: haeder }]\nitems:\n  - { url: /, title: "{{ tonne }}" }',
    )
    expect((await run(command, folder)).stderr).toContain(
      '\nmenu.yaml: Unknown location "haeder". Expected: header, footer_1, footer_2, footer_3. Did you mean "header"?\n',
    )
    await change('menu.yaml', 'haeder', 'header')
    expect((await run(command, folder)).stderr).toContain(
      '\nmenu.yaml, line 5: item 0, title: The variable "tonne" is not defined. Did you mean "tone"? (site 2,',
    )
  })

  it('are reported with file, line and the nearest path of a page', async () => {
    await change('menu.yaml', 'page: described', 'page: descirbed')
    const line = '! menu main: menu.yaml, line 4, item 0: This site has no page "descirbed".'
    const { code, stdout } = await run('plan', folder)
    expect(code).toBe(1)
    expect(stdout).toContain(`${line} Similar: "described"`)
    const applied = await run('apply', folder)
    expect(applied.stdout + applied.stderr).toContain('menu.yaml, line 4, item 0')
  })
})
