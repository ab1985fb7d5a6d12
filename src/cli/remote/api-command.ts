import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { Argument, type Command, InvalidArgumentError } from 'commander'
import type { Client } from '#client'
import { CHANGED_BY_SHELL, isWindowsPath } from '../changed-by-shell.ts'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

type ApiCommandOptions = EnvironmentOptions & {
  readonly data?: string
  readonly header?: Readonly<Record<string, string>>
}

/** `api <method> <path>`: sends one request to the API, and prints the body of its answer. */
export function apiCommand(context: CliContext): Command {
  const command = new CliCommand('api')
    .addArgument(new Argument('<method>', 'GET, POST, PUT, PATCH or DELETE').argParser(parseMethod))
    .argument('<path>', 'below the address of the API, with the query', parsePath)
    .option('--data <json>', 'the body: JSON, @file, or - for standard input')
    .option('--header <name: value>', 'may be repeated', parseHeader)
    .addHelpText(
      'after',
      '\nWithout a login it runs the request on the database of DATABASE_URL, as the operator.',
    )
    .examples(
      'wp-frames api GET /site/2/frames',
      'wp-frames api PUT /site/2/frames/card --data @card.json --env staging',
      'wp-frames api POST /site/2/frames/rebake --header "Idempotency-Key: nightly-1"',
    )
  return addEnvironmentOption(command).action(
    async (method: string, path: string, options: ApiCommandOptions) => {
      const body = options.data === undefined ? undefined : await readData(options.data)
      const init = { body, headers: options.header ?? {}, bodySerializer: String, parseAs: 'text' }
      await withService(
        context,
        options,
        async ({ client }) => {
          const request = client.http.request as AnyRequest
          printAnswer(await request(method, path, init))
        },
        { tables: false },
      )
    },
  )
}

/** `Client.http.request` for a path that the compiler does not know. */
type AnyRequest = (method: string, path: string, init: object) => Promise<AnyAnswer>
type AnyAnswer = Pick<Awaited<ReturnType<Client['http']['GET']>>, 'response'> & {
  readonly data?: string
  readonly error?: unknown
}

/** @throws CommandError for an answer that is an error, after its body */
function printAnswer({ data, error, response: { status, headers } }: AnyAnswer): void {
  const text = data ?? (typeof error === 'string' ? error : jsonLine(error))
  process.stdout.write(text === '' ? '' : formatBody(text))
  const target = headers.get('Location')
  const advice = target === null ? '' : ` It leads to ${target}; the token was not sent there.`
  if (status > 299) throw new CommandError(`The answer has the status ${status}.${advice}`)
}

/** Readable on a terminal, as it was sent to a file or a pipe. */
function formatBody(text: string): string {
  const line = text.endsWith('\n') ? text : `${text}\n`
  if (!process.stdout.isTTY) return line
  try {
    return sanitizeForTerminal(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
  } catch {
    return sanitizeForTerminal(line)
  }
}

/** @throws CommandError if it is not JSON */
async function readData(data: string): Promise<string> {
  const text =
    data === '-'
      ? await readText(process.stdin)
      : data.startsWith('@')
        ? // Without the byte order mark that some editors write.
          new TextDecoder().decode(await readFile(data.slice(1)))
        : data
  try {
    return jsonLine(JSON.parse(text)).trimEnd()
  } catch (error) {
    const reason = reasonOf(error as Error, text)
    const advice = /^[@-]/.test(data)
      ? ''
      : ' For a file write @ before its name: --data @card.json.'
    throw new CommandError(`--data is not JSON: ${reason}.${advice}`)
  }
}

/** With the line and the column, which long data need. */
function reasonOf({ message }: Error, text: string): string {
  const [, reason = message, at] = /^(.*) in JSON at position (\d+)/s.exec(message) ?? []
  if (at === undefined) return reason
  const before = text.slice(0, Number(at)).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${reason}`
}

/** @throws InvalidArgumentError */
function parseMethod(text: string): string {
  const method = METHODS.find((one) => one === text.toUpperCase())
  if (method !== undefined) return method
  throw new InvalidArgumentError(`Use one of ${METHODS.join(', ')}.`)
}

/** @throws InvalidArgumentError */
function parsePath(text: string): string {
  if (isWindowsPath(text)) throw new InvalidArgumentError(CHANGED_BY_SHELL)
  const path = `/${text.replace(/^\/+/, '')}`
  if (/^[\x21-\x7e]*$/.test(path) && !path.includes('#')) return path
  throw new InvalidArgumentError(
    'Use a path below the address of the API, percent-encoded: /site/2/frames.',
  )
}

function parseHeader(
  text: string,
  earlier: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\t\x20-\x7e]*)$/.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Use a name and a value: "If-Match: W/\\"abc\\"".')
  if (name.toLowerCase() === 'authorization')
    throw new InvalidArgumentError('The login has the token: see "wp-frames login".')
  return { ...earlier, [name]: value }
}
