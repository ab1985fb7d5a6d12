import { beforeEach, describe, expect, it } from 'vitest'
import { runsTable } from '../../../src/network/plan/runs-table.ts'
import { answer, commandsOn } from '../../support/cli.ts'
import { useFolder } from '../../support/use.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'
import { describedFolder } from './described-folder.ts'

const network = await useTruth()
const base = await useFolder('apply')

const { environment, run, json } = commandsOn(network)

/** A description of one frame for the sites 2 and 3. */
let folder: string
let descriptions = 0
beforeEach(async () => {
  descriptions += 1
  folder = await describedFolder(base, `chosen-${descriptions}`)
})

describe('apply', () => {
  it('shows a summary and asks on a terminal, and writes nothing unless the answer is yes', async () => {
    const declined = await answer('n', ['apply', folder], environment)
    expect(declined.code).toBe(1)
    expect(declined.output).toMatch(/\+ 2 frames created\r?\n/)
    expect(declined.output).toMatch(/\d+ steps on 2 sites, 0 without changes/)
    expect(declined.output).toContain('Stopped. Nothing was changed.')
    expect(await json('plan', folder)).toMatchObject({ changed: 2 })
    expect(await answer('y', ['apply', folder], environment)).toMatchObject({ code: 0 })
    expect(await json('plan', folder)).toMatchObject({ changed: 0 })
  })

  it('and rollback name what they do, and show the differences before the answer', async () => {
    const applied = await answer(['v', 'y'], ['apply', folder], environment)
    expect(applied.code).toBe(0)
    const [named = '', shown = ''] = applied.output.split('Apply? (v: view the differences)')
    expect(named).toContain(`Description chosen-${descriptions}\n`)
    expect(named).toContain(`  + frame chosen-${descriptions} (created)\n`)
    expect(named).not.toContain('+<p>1</p>')
    expect(shown).toContain('+<p>1</p>')
    const [, id = ''] = /, run ([0-9a-f-]{36}):/.exec(applied.output) ?? []
    const taken = await answer(['v', 'y'], ['rollback', id], environment)
    expect(taken).toMatchObject({ code: 0, output: expect.stringContaining('has done this:') })
    expect(taken.output).toContain('-<p>1</p>')
    expect(taken.output).toContain('2 sites rolled back, 0 without changes')
  })

  it('and rollback count the same sites, and a second rollback says that it does nothing', async () => {
    await run('apply', folder, '--site', '3')
    const { run: id } = await json('apply', folder)
    const first = await run('rollback', id)
    const title = `Description chosen-${descriptions}, run ${id}`
    expect(first.stdout).toContain(`${title}: 1 site rolled back, 1 without changes\n`)
    expect((await json('runs', id)).plan.sites).toEqual({ rolled_back: 2 })
    for (const options of [[], ['--dry-run']])
      expect(await run('rollback', id, ...options)).toMatchObject({
        code: 0,
        stdout: `${title}: it is already rolled back. Nothing was changed.\n`,
        stderr: '',
      })
    expect(await json('rollback', id)).toMatchObject({ code: 0, sites: { rolled_back: 2 } })
  })

  it('and rollback continue a run that another process has begun', async () => {
    const id = (await json('plan', folder)).plan
    const { db, globals } = network
    const begin = (state: string) => db.sql(runsTable(globals)).where({ id }).update({ state })
    await begin('applying')
    const continued = await run('apply', folder)
    expect(continued).toMatchObject({ code: 0, stderr: `Continuing the run ${id}.\n` })
    expect(await json('runs', id)).toMatchObject({ plan: { state: 'done', sites: { applied: 2 } } })
    await begin('applying')
    const ended = await run('apply', id)
    expect(ended.stdout).toContain(`(created)\nnet.test/docs (site 3): applied\n`)
    await begin('rolling_back')
    expect(await json('rollback', id)).toMatchObject({ code: 0, sites: { rolled_back: 2 } })
    await begin('trying')
    const other = await run('plan', folder)
    expect(other.stderr).toContain(`Continuing the run ${id}.`)
  })

  it('plans and applies one site of a description, and writes nothing with --dry-run', async () => {
    expect(await json('plan', folder, '--site', '3')).toMatchObject({ sites: 1, changed: 1 })
    const dry = await json('apply', folder, '--dry-run')
    expect(dry).toMatchObject({ code: 0, changed: 2, plans: expect.any(Array) })
    expect(await json('plan', folder)).toMatchObject({ changed: 2 })
    const one = await json('apply', folder, '--site', '3')
    expect(one).toMatchObject({ code: 0, state: 'done', sites: { applied: 1 } })
    expect(await json('plan', folder)).toMatchObject({ changed: 1, unchanged: 1 })
    const { code, stderr } = await run('plan', folder, '--site', '1')
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not select site 1')])
  })

  it('finds a run by the beginning of its id', async () => {
    const { run: id } = await json('apply', folder)
    expect(await json('runs', id.slice(0, 8))).toMatchObject({ plan: { id } })
    expect(await run('rollback', id.slice(0, 12))).toMatchObject({ code: 0 })
    for (const [name, problem] of [
      ['zzzz', 'There is no run zzzz'],
      ['é€é€', 'There is no run'],
      ['%%%%', 'There is no run'],
      [id.slice(0, 3), '4 characters of an id'],
    ]) {
      const { code, stderr } = await run('rollback', name)
      expect([code, stderr]).toEqual([1, expect.stringContaining(problem)])
    }
    expect((await run('runs', 'zzzz')).stderr).toContain('There is no run zzzz')
    expect((await run('apply', 'zzzz')).stderr).toContain('There is no folder or file zzzz')
    expect((await run('apply', id, '--site', '2')).stderr).toContain('when you plan')
  })
})
