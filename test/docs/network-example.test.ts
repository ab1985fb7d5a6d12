import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../support/cli.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use, useFolder } from '../support/use.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'

const network = await use(cloneTruth())
const base = await useFolder('example')

/** The commands of each block of the worked example, without the name of the program. */
async function readExample(): Promise<{ commands: string[][][]; html: string }> {
  const guide = await readFile(resolve(import.meta.dirname, '../../docs/network.md'), 'utf8')
  const blocks = [...guide.matchAll(/^```(\w+) example\n(.*?)^```$/gms)]
  const commands = blocks.flatMap(([, language, text = '']) =>
    language === 'sh'
      ? [
          text
            .trim()
            .split('\n')
            .map((line) => line.split(/\s+/).slice(2)),
        ]
      : [],
  )
  return { commands, html: blocks.find(([, language]) => language === 'html')?.[2] ?? '' }
}

const run = async (args: readonly string[]) => {
  const files = new Map([
    ['shops', join(base, 'shops')],
    ['plan.json', join(base, 'plan.json')],
  ])
  const { code, stdout, stderr } = await runCommand(
    args.map((one, index) => (args[0] === 'drift' && index === 1 ? one : (files.get(one) ?? one))),
    {
      DATABASE_URL: network.url,
      TABLE_PREFIX: network.globals.basePrefix,
      LOG_LEVEL: 'silent',
      STATIC_DIR: '',
    },
  )
  return { code, stdout, stderr }
}

it('the worked example works', { timeout: 60_000 }, async () => {
  const { commands, html } = await readExample()
  const [init = [], apply = [], restore = []] = commands
  const docs = createSiteFixture(network.db, await network.site(3))
  const brand = createSiteFixture(network.db, await network.site(4))
  for (const site of [docs, brand]) await site.frame('shared-note', '<p>shared</p>')

  for (const command of init) expect(await run(command)).toMatchObject({ code: 0 })
  const folder = join(base, 'shops')
  await writeFile(join(folder, 'shared/frames/footer-note.html'), html)

  const outputs = []
  for (const command of apply) outputs.push(await run(command))
  expect(outputs).toMatchObject([{ code: 0 }, { code: 0 }, { code: 0 }])
  expect(outputs[0]?.stdout).toContain('+ frame footer-note (created)')

  const option = `svc_frame_${await docs.idOf('footer-note')}`
  const record = (await docs.option(option)) ?? ''
  await docs.setOption(option, record.replace('Imprint', 'IMPRINT'))
  const [drift, again, empty] = [
    await run(restore[0] ?? []),
    await run(restore[1] ?? []),
    await run(restore[2] ?? []),
  ]
  expect(drift?.stdout).toContain('frame footer-note was changed by another program')
  expect([again?.code, empty?.code]).toEqual([0, 0])
})
