import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../support/cli.ts'
import { describeWith } from '../../support/describe-with.ts'
import { useFramesCli } from '../../support/frames-cli.ts'
import { programArgs } from '../../support/program.ts'
import { useFolder } from '../../support/use.ts'

const folder = await useFolder('completion')
const cli = await useFramesCli()
await cli.put('site-header', '<header>')
const program = (await programArgs('src/main')).map((part) => `'${part}'`).join(' ')
await writeFile(join(folder, 'wp-frames'), `#!/bin/sh\nexec node ${program} "$@"\n`, {
  mode: 0o755,
})
const ENVIRONMENT = { ...cli.env, PATH: `${folder}:${process.env.PATH}` }

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['completion', shell], {})
  expect([code, stderr]).toEqual([0, ''])
  const file = join(folder, `wp-frames.${shell}`)
  await writeFile(file, stdout)
  return file
}

const run = async (file: string, args: readonly string[]): Promise<string[]> => {
  const { stdout } = await promisify(execFile)(file, args, { env: ENVIRONMENT })
  return stdout.split('\n').filter((line) => line !== '')
}

/** What the program offers for a line whose last part is not finished. */
async function offered(line: string): Promise<string[]> {
  const [, ...parts] = line.split(' ')
  const { stdout } = await runCommand(['completion', 'line', '--', ...parts], cli.env)
  return stdout
    .split('\n')
    .map((one) => one.split('\t', 1)[0] ?? '')
    .filter((one) => one !== '')
    .sort()
}

describe('the completion', () => {
  it.each([
    ['wp-frames fr', ['frames']],
    ['wp-frames menus items ', ['add', 'help', 'move', 'remove']],
    ['wp-frames frames list --format ', ['csv', 'ids', 'json', 'table']],
    ['wp-frames frames list --form', ['--format']],
    [
      'wp-frames frames pull --site ',
      ['archived', 'brand.test', 'docs', 'net.test', 'shop', 'spam'],
    ],
    ['wp-frames frames pull --site net.test/s', ['net.test/shop', 'net.test/spam']],
    ['wp-frames frames show --site shop ', ['site-header']],
    ['wp-frames menus show --site shop foo', ['footer']],
    ['wp-frames frames show --site nowhere ', []],
    [
      'wp-frames frames delete --',
      ['--dry-run', '--env', '--help', '--json', '--no-bake', '--site', '--user', '--yes'],
    ],
  ])('offers for %j', async (line, candidates) => {
    expect(await offered(line)).toEqual(candidates)
  })
})

it.each([
  ['wp-frames frames re', ['rename', 'replace']],
  ['wp-frames frames show --site shop ', ['site-header']],
])('the completion of bash offers for %j', async (line, candidates) => {
  const script = await scriptFor('bash')
  const parts = line.split(' ').map((part) => `'${part}'`)
  const code = `source '${script}'
    COMP_WORDS=(${parts.join(' ')}); COMP_CWORD=${parts.length - 1}
    _wp_frames; printf '%s\\n' "\${COMPREPLY[@]}"`
  expect((await run('bash', ['--norc', '-c', code])).sort()).toEqual(candidates)
})

describeWith('fish', 'the completion of fish', () => {
  it.each([
    ['wp-frames frames re', ['rename', 'replace']],
    ['wp-frames frames show --site shop ', ['site-header']],
  ])('offers for %j', async (line, candidates) => {
    const script = await scriptFor('fish')
    const code = `source '${script}'; complete -C '${line}'`
    const lines = await run('fish', ['--no-config', '-c', code])
    expect(lines.map((one) => one.split('\t', 1)[0]).sort()).toEqual(candidates)
  })
})

/** Settings of an interactive zsh: what it would show goes to a file. */
const ZSHRC = `PS1='READY>'
autoload -U compinit; compinit -u -D
source "$SCRIPT"
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits; builtin compadd -A hits "$@"; print -l -- $hits >> "$OUT"; builtin compadd "$@"
}
finish() { exit }
zle -N finish; bindkey '^I' complete-word '^X' finish
`

/** Types a line and the tab key into an interactive zsh on a terminal. */
const TYPE = `zmodload zsh/zpty; zpty z zsh -i
while zpty -r z line '*READY*'; do break; done
zpty -w -n z "$1"$'\\t\\x18'
while zpty -r z line; do :; done
`

describeWith('zsh', 'the completion of zsh', () => {
  it.each([
    ['wp-frames completion b', ['bash']],
    ['wp-frames frames show --site shop s', ['site-header']],
  ])('offers for %j', async (line, candidates) => {
    const [script, output] = [await scriptFor('zsh'), join(folder, `${randomUUID()}.out`)]
    await writeFile(join(folder, '.zshrc'), ZSHRC)
    await writeFile(output, '')
    const env = { ...ENVIRONMENT, ZDOTDIR: folder, SCRIPT: script, OUT: output }
    await promisify(execFile)('zsh', ['-f', '-c', TYPE, 'zsh', line], { env })
    expect((await readFile(output, 'utf8')).trim().split('\n').sort()).toEqual(candidates)
  })
})
