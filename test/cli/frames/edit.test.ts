import { beforeEach, describe, expect, it } from 'vitest'
import { answer } from '../../support/cli.ts'
import { useFramesCli } from '../../support/frames-cli.ts'

const cli = await useFramesCli()
const { fixture } = cli
const LAYOUT = '<!-- svc/frame {"name":"header"} /--><main></main>'

beforeEach(async () => {
  await cli.clear()
  await cli.put('header', '<b>shop</b>')
  await cli.put('layout', LAYOUT)
})

const site = ['--site', '2']
const pagesOf = async (slug: string): Promise<readonly number[]> =>
  (await cli.json(0, 'show', slug, ...site)).frame.pages

describe('frames rename', () => {
  it('renames a frame in the frames that embed it, too', async () => {
    const { code, stdout, stderr } = await cli.run('rename', 'header', 'top', ...site)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(
      'The frame "header" is "top" now.\nWritten again, because they embed it: layout.\n',
    )
    expect(await cli.stored()).toEqual({
      top: '<b>shop</b>',
      layout: LAYOUT.replace('header', 'top'),
    })
  })

  it('names a slug that is taken, not the request of the batch', async () => {
    for (const args of [[], ['--dry-run']]) {
      const { code, stderr } = await cli.run('rename', 'header', 'layout', ...site, ...args)
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^.*"layout".*\.\n$/)])
      expect(stderr).not.toContain('requests[')
    }
  })
})

it('frames assign gives a page a frame, and takes it away', async () => {
  const assigned = await cli.run('assign', 'layout', 'about-us/team', ...site)
  expect([assigned.code, assigned.stderr]).toEqual([0, ''])
  expect(assigned.stdout).toMatch(
    /^The page http:\/\/net\.test\/shop\/about-us\/team\/ \(\d+\) has the frame "layout"\.\n/,
  )
  expect(await pagesOf('layout')).toHaveLength(1)
  const dry = await cli.run('assign', 'layout', 'about-us/team', '--clear', ...site, '--dry-run')
  expect(dry.stdout).toMatch(/^cleared assignment /)
  expect(await pagesOf('layout')).toHaveLength(1)
  const cleared = await cli.run('assign', 'layout', 'about-us/team', '--clear', ...site)
  expect(cleared.stdout).toMatch(/has no frame any more\.\n/)
  expect(await pagesOf('layout')).toEqual([])
})

describe('frames delete', () => {
  it('says which pages and frames lose it', async () => {
    const legal = await fixture.page({ slug: 'terms', title: 'Terms' })
    await cli.run('assign', 'header', String(legal), ...site)
    const dry = await cli.run('delete', 'header', ...site, '--dry-run')
    expect(dry.stdout).toContain(`cleared assignment header, page ${legal} (Terms)\n`)
    expect(dry.stdout).toContain('deleted frame header\n')
    expect(dry.stdout).toContain(
      'Pages that lose their frame, and are not found then: http://net.test/shop/terms/.\n',
    )
    expect(dry.stdout).toContain('Frames that embed it, and print nothing for it then: layout.\n')
    expect(Object.keys(await cli.stored())).toContain('header')
    const { code, stdout } = await cli.run('delete', 'header', ...site)
    expect(code).toBe(0)
    expect(stdout).toContain('The frame "header" was deleted.\n1 page(s) have no frame now')
    expect(stdout).toContain('print nothing for it until a frame has that slug again: layout.')
    expect(Object.keys(await cli.stored())).toEqual(['layout'])
  })

  it('asks on a terminal', async () => {
    const page = await fixture.page({ slug: 'asked' })
    await cli.run('assign', 'header', String(page), ...site)
    const args = ['frames', 'delete', 'header', ...site]
    const no = await answer('n', args, cli.env)
    expect(no.code).toBe(1)
    expect(no.output).toContain(
      'Pages that lose their frame, and are not found then: http://net.test/shop/asked/.\n',
    )
    expect(no.output).toContain('Frames that embed it')
    expect(no.output).toContain('Delete the frame "header"? [y/N]')
    expect(no.output).toContain('Stopped. Nothing was changed.')
    expect(Object.keys(await cli.stored())).toContain('header')
    expect((await answer('y', args, cli.env)).code).toBe(0)
    expect(Object.keys(await cli.stored())).toEqual(['layout'])
  })

  it('does not suggest a dangerous command for a misspelt one', async () => {
    const { code, stderr } = await cli.run('renam', 'a', 'b')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean rename?')])
  })
})
