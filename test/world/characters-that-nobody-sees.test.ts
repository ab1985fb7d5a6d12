import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/host/config/config.ts'
import { runCommand } from '../support/cli.ts'
import { useFramesCli } from '../support/frames-cli.ts'
import { pushedFolder } from '../support/pushed-folder.ts'
import { useFolder } from '../support/use.ts'

/**
 * Editors on Windows write byte order marks, other line ends and UTF-16, and all of it went to the pages unnoticed.
 * Right: Unicode 23.8: a mark at the begin is a signature, no content. HTML, 13.2.3.5: U+0000 is an error. Git: "core.autocrlf".
 */
describe('characters that nobody sees', async () => {
  const cli = await useFramesCli()
  const { at, write, pulled, push, problems } = pushedFolder(() => cli)
  await pulled({ header: '<p>a</p>\n<p>b</p>\n', footer: 'f' })

  const check = async (html: string): Promise<readonly (readonly string[])[]> => {
    const data = JSON.stringify({ frames: [{ slug: 'header', html }] })
    const { stdout } = await runCommand(
      ['api', 'POST', '/site/2/frames/check', '--data', data],
      cli.env,
    )
    return JSON.parse(stdout).problems.map((one: Record<string, string>) => [
      one.severity,
      one.code,
    ])
  }

  it.each([
    ['\ufeff<p>a</p>', [['warning', 'byte_order_mark']]],
    ['<p>a\ufeff</p>', [['warning', 'byte_order_mark']]],
    ['<p>a</p>\r\n', [['warning', 'line_ends']]],
    ['a\rb', [['warning', 'line_ends']]],
    ['\0<\0p\0>', [['error', 'nul_character']]],
    ['<p>a</p>\n\u200b', []],
  ])('are problems of markup: %j', async (html, expected) => {
    expect(await check(html)).toEqual(expected)
  })

  it('are said by a push, whose difference shows them', async () => {
    await write('header.html', '<p>a</p>\r\n<p>b</p>\r\n')
    const { stdout } = await push('--dry-run')
    expect(stdout).toContain('(only line ends differ)')
    expect(stdout).toContain('+<p>a</p>^M')
    expect(stdout).toContain('line ends of Windows (CR LF) on 2 lines')
    await write('header.html', '<p>a</p>\n<p>b</p>')
    expect((await push('--dry-run')).stdout).toContain('\\ No newline at end of file')
  })

  it('are refused by a push where they are UTF-16 without a mark', async () => {
    await write('header.html', Buffer.from('<p>a</p>', 'utf16le').swap16())
    expect(await problems()).toMatchObject([{ name: 'header', reason: 'nul_character' }])
  })

  it('do not matter in files that are no markup', async () => {
    await write('header.html', '<p>new</p>\n')
    const manifest = at('frames.json')
    await writeFile(manifest, `\ufeff${await readFile(manifest, 'utf8')}`)
    expect((await push()).code).toBe(0)
    const secret = join(await useFolder('secret'), 'url')
    await writeFile(secret, '\ufeffmysql://a:b@db/x\r\n')
    expect(parseConfig({ DATABASE_URL_FILE: secret }).databaseUrl).toBe('mysql://a:b@db/x')
  })
})
