import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { INSERTS } from '../../src/content/markup/inserts/all-inserts.ts'
import { createExecutorFixture } from '../build/executor/executor-fixture.ts'
import { use } from '../support/use.ts'

const GUIDE = resolve(import.meta.dirname, '../../docs/markup.md')
/** The page "Team", in English. */
const PAGE = 10

type Block = { readonly kind: string; readonly name: string; readonly text: string }

/** The fenced blocks of the guide, in order: `html frame=card`, `json dataset=hours`, `html prints`. */
function blocksOf(guide: string): Block[] {
  return [...guide.matchAll(/^```\w+ (frame|dataset|prints)(?:=(\S+))?\n(.*?)\n```$/gms)].map(
    ([, kind = '', name = '', text = '']) => ({ kind, name, text }),
  )
}

/** An example: the frames and datasets to store, and the output of the last frame on the page. */
type Example = {
  readonly name: string
  readonly given: readonly Block[]
  readonly prints: string
}

function examplesOf(blocks: readonly Block[]): Example[] {
  const examples: Example[] = []
  let given: Block[] = []
  for (const block of blocks) {
    if (block.kind !== 'prints') {
      given.push(block)
      continue
    }
    examples.push({ name: given.at(-1)?.name ?? '', given, prints: block.text })
    given = []
  }
  if (given.length > 0) throw new Error(`the example "${given.at(-1)?.name}" has no output`)
  return examples
}

const examples = examplesOf(blocksOf(readFileSync(GUIDE, 'utf8')))

const shop = await use(createExecutorFixture())

describe('the guide to the markup language', () => {
  it('has an example of each insert', () => {
    const markup = examples.flatMap(({ given }) => given.map(({ text }) => text)).join('\n')
    for (const { kinds } of INSERTS) expect(markup).toContain(`svc/${kinds[0]}`)
  })

  it('describes each parameter of svc/menu', () => {
    const guide = readFileSync(GUIDE, 'utf8')
    const sections = guide.split('\n### ')
    const menu = INSERTS.find(({ kinds }) => kinds.includes('menu'))
    const section = sections.find((text) => text.startsWith('svc/menu:')) ?? ''
    const rows = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(menu?.parameters.map(({ name }) => name)).toEqual(rows)
  })

  it.each(examples)('shows the output of $name', async ({ name: last, given, prints }) => {
    for (const { kind, name, text } of given) {
      if (kind === 'dataset') await shop.setOption(`svc_data_${name}`, text)
      else await shop.frame(name, text)
    }
    await shop.assign(last, [PAGE])
    expect(await shop.render(PAGE)).toBe(prints)
  })
})
