import { createInterface } from 'node:readline/promises'
import { CommandError, INTERRUPTED } from './context.ts'

/**
 * Asks on the terminal whether to go on; anything but yes is no.
 * @throws CommandError where there is no terminal to ask on (exit code 1), or Ctrl-C is the answer (130)
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new CommandError('Nothing was done: there is no terminal to ask on. Add --yes.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const left = new AbortController()
  for (const event of ['SIGINT', 'close']) terminal.once(event, () => left.abort())
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal: left.signal })
    return /^y(es)?$/i.test(answer.trim())
  } catch (error) {
    if (!left.signal.aborted) throw error
    process.stderr.write('\n')
    throw new CommandError('Nothing was done.', INTERRUPTED)
  } finally {
    terminal.close()
  }
}
