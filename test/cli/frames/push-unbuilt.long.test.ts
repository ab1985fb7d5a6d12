import { expect, it } from 'vitest'
import { runCommand } from '../../support/cli.ts'
import { useFramesCli } from '../../support/frames-cli.ts'
import { NOTHING, pushedFolder } from '../../support/pushed-folder.ts'

const cli = await useFramesCli()
const { write, pulled, push } = pushedFolder(() => cli)

it('an unreachable executor fails the push, but the sent frames remain', async () => {
  await pulled({ header: 'h', footer: 'f' })
  for (const name of ['header.html', 'footer.html']) await write(name, 'mine')
  const { code, stdout, stderr } = await runCommand(['frames', 'push', cli.folder, '--site', '2'], {
    ...cli.env,
    EXECUTOR_URL: 'http://127.0.0.1:1',
    EXECUTOR_KEY: 'k'.repeat(32),
  })
  expect([code, stderr]).toEqual([1, '1 site with pages that could not be built.\n'])
  expect(stdout).toMatch(/^net\.test\/shop \(site 2\): applied\n {2}.*executor runs.*\n/)
  expect(await cli.stored()).toEqual({ footer: 'mine', header: 'mine' })
  expect((await push()).stdout).toBe(NOTHING)
})
