/**
 * Checks the regular expressions of the program for catastrophic backtracking with recheck: an input for which the time of a match grows faster
 * than its length. The result does not depend on the speed of the machine. An expression that is not linear needs a reason below; one that
 * takes exponential time is never accepted.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from '@babel/parser'
import { checkSync } from 'recheck'

/** The sources of the program. */
const FOLDERS = [
  'src',
  'packages/migration/src',
  'packages/php-serialized/src',
  'packages/store-s3/src',
]

/** Expressions that take quadratic time for texts that they never get, or that recheck cannot decide. */
const ACCEPTED = new Map([
  [String.raw`svc_\w+$`, 'the name of a table, of at most 64 characters'],
  [String.raw`^([!#$%&'*+.^_${'`'}|~\w-]+):\s*([\t\x20-\x7e]*)$`, 'an argument of a command'],
  [String.raw`\/+$`, 'the address of a login'],
  [String.raw`\{item:([^}]+)\}`, 'a path that the program has written'],
  [
    String.raw`\b(?:FOR\s+(?:UPDATE|SHARE)|SHARE\s+MODE|NOW|SYSDATE|UTC_\w+|CURRENT_\w+|RAND|UUID|LAST_INSERT_ID|UPDATE|DELETE)\b|@`,
    'a statement of the program, without its values',
  ],
  [
    String.raw`'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|${'`[^`]*`'}|--(?=\s)[^\n]*|#[^\n]*|\/\*(?!M?!).*?\*\/|:(\w+)(:?)`,
    'a statement of the program, without its values',
  ],
  [String.raw`^\s*\[\s*(.*?)\s*\]`, "a line of the operator's file"],
  [String.raw`^\s*([A-Za-z_]+)\s*=\s*(.*?)\s*$`, "a line of the operator's file"],
  [
    String.raw`^<[\t-\r ]*(\/[\t-\r ]*)?([a-zA-Z0-9-]+)([^>]*)>?$`,
    'one tag, which has no `>` before its end',
  ],
  [String.raw`&[^\n]+?;`, 'a slug, of at most 200 bytes'],
  ['-+$', 'a slug, of at most 200 bytes'],
  [
    String.raw`"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`,
    'valid JSON, in which each string that begins ends',
  ],
  [String.raw`(:\/\/|:\/|%3A%2F%2F).*(@|%40)`, 'the arguments of a command'],
  [String.raw`(?<!\\)\\+0+`, 'linear: a match begins at the first backslash of a row only'],
  ['[A-Za-z0-9+/=_%-]{32,}', 'linear: 31 characters are read again at most'],
  [": '.*?'(?= for column)", 'a message of the database, of at most 512 bytes'],
  [String.raw`^https?:\/\/([^/?#]+)([^#]*)$`, "a page's link, which has no `#`"],
])

/** The regular expressions of the code, with the first file and line of each. */
function findExpressions() {
  const found = new Map()
  const walk = (node, file) => {
    if (node === null || typeof node !== 'object') return
    if (node.type === 'RegExpLiteral') {
      const key = `/${node.pattern}/${node.flags}`
      if (!found.has(key)) found.set(key, { ...node, at: `${file}:${node.loc.start.line}` })
    }
    for (const child of Object.values(node)) walk(child, file)
  }
  for (const folder of FOLDERS)
    for (const name of readdirSync(folder, { recursive: true })) {
      if (!name.endsWith('.ts')) continue
      const file = `${folder}/${name}`
      const { program } = parse(readFileSync(file, 'utf8'), {
        sourceType: 'module',
        plugins: ['typescript'],
      })
      walk(program, file)
    }
  return [...found.values()]
}

const expressions = findExpressions()
const unused = new Set(ACCEPTED.keys())
const problems = expressions.flatMap(({ pattern, flags, at }) => {
  if (unused.delete(pattern) || ACCEPTED.has(pattern)) return []
  const { status, complexity } = checkSync(pattern, flags, { timeout: null })
  return status === 'safe' ? [] : [`${at}: ${complexity?.summary ?? status}: /${pattern}/${flags}`]
})
for (const pattern of unused)
  problems.push(`tools/regexps/main.mjs: not in the program: /${pattern}/`)
problems.push(`Checked ${expressions.length} regular expressions: ${problems.length} problems.`)
process.stdout.write(`${problems.join('\n')}\n`)
process.exitCode = problems.length === 1 ? 0 : 1
