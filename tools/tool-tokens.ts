import { pathToFileURL } from 'node:url'
import { openTools } from '../src/api/mcp/tools.ts'
import { UNLIMITED } from '../src/record/auth/token-scopes.ts'

/** What the list of all tools may take of the context of an agent, in tokens. */
export const MAX_LIST_TOKENS = 16_500

/** Models count tokens in different ways; for English and JSON, four characters are one token in about all of them. */
const CHARACTERS_PER_TOKEN = 4

/** The tokens of a value in JSON, by the number of characters. */
export const tokensOf = (value: unknown): number =>
  Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN)

/** Prints what each tool adds to `tools/list` for an administrator of the network, the largest ones first. */
async function printTokens(): Promise<void> {
  const tools = (await openTools()).offeredTo(UNLIMITED, true)
  const rows = tools
    .map((tool) => ({ name: tool.name, tokens: tokensOf(tool) }))
    .sort((a, b) => b.tokens - a.tokens)
  const total = `${tools.length} tools, at most ${MAX_LIST_TOKENS} tokens`
  for (const { name, tokens } of [...rows, { name: total, tokens: tokensOf(tools) }])
    process.stdout.write(`${String(tokens).padStart(6)}  ${name}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await printTokens()
