import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../support/cli.ts'
import { useFolder } from '../support/use.ts'

let folder: string
beforeEach(async () => {
  folder = await useFolder('check')
})

const save = (file: string, html: string): Promise<void> => writeFile(join(folder, file), html)
/** Without a database. */
const check = (...args: string[]) => runCommand(['check', folder, ...args], {})

describe('check', () => {
  it('prints problems as compilers do, and fails for errors', async () => {
    await save('footer.html', '<p>ok</p>')
    await save('header.html', '<b>\n  <!-- svc/frame {"name":"fotter"} /--><!-- svc/nothing /-->')
    const { code, stdout, stderr } = await check()
    expect(code).toBe(1)
    expect(stdout.trimEnd().split('\n')).toEqual([
      `${folder}/header.html:2:3: error: There is no frame "fotter"; the insert prints nothing. Did you mean "footer"? [reference_missing]`,
      expect.stringMatching(
        /header\.html:2:\d+: error: Unknown insert svc\/nothing.*\[unknown_insert\]$/,
      ),
    ])
    expect(stderr).toBe('2 errors, 0 warnings in 2 frames.\n')
  })

  it('annotates pull requests', async () => {
    await save('header.html', '<!-- svc/data {"source":"100%, site"} /-->')
    const { stdout } = await check('--format', 'github')
    expect(stdout).toMatch(
      /^::error file=\S+\/header\.html,line=1,col=1,title=insert_without_input::.*100%25, site/,
    )
    expect(JSON.parse((await check('--format', 'json')).stdout)).toMatchObject([
      { file: join(folder, 'header.html'), line: 1, column: 1, code: 'insert_without_input' },
    ])
  })

  it('fails for warnings with --strict only', async () => {
    await save('a.html', '<b data-op-bind="site.title">x')
    expect(await check()).toMatchObject({ code: 0, stderr: '0 errors, 1 warning in 1 frame.\n' })
    expect(await check('--strict')).toMatchObject({ code: 1 })
  })

  it('checks the frames of a description, of which some may exist on the sites only', async () => {
    await save(
      'network.yaml',
      'version: 1\nname: n\nsites: [{ match: { id: [2] }, bundles: [base] }]\nbundles: { base: { frames: [footer.html] }, other: { frames: [footer.html] } }\n',
    )
    await save('footer.html', '<p data-op-bind="site.titel"></p><!-- svc/frame {"name":"x"} /-->')
    const { code, stdout } = await check()
    expect([code, stdout.trimEnd().split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(/footer\.html:1:1: error: .*Did you mean "site\.title"\?/),
        expect.stringMatching(/footer\.html:1:\d+: warning: There is no frame "x"/),
      ],
    ])
    await save('network.yaml', 'version: 1\nname: n\nsites: []\nbundels: {}\n')
    expect((await check()).stderr).toContain('network.yaml, line 4')
  })

  it('names a file that a push would refuse', async () => {
    await save('Not a slug.html', 'x')
    const { code, stderr } = await check()
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Not a slug\.html: .*valid slug/)])
  })

  it('says that a folder does not exist', async () => {
    const { code, stderr } = await runCommand(['check', join(folder, 'none')], {})
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no folder')])
  })
})
