import { text as readText } from 'node:stream/consumers'
import { type Command, InvalidArgumentError } from 'commander'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { addListOptions, formatRows, type List, type ListOptions } from '../list-output.ts'
import { askSecret, sanitizeForTerminal } from '../terminal.ts'
import { httpClient, refusedToken } from './http-client.ts'
import { DEFAULT_LOGIN, type Login, loginsFile, readStoredLogins, storeLogin } from './logins.ts'
import { assertSecure, parseServiceAddress } from './service-address.ts'

type LoginOptions = ListOptions & {
  readonly name: string
  readonly insecure?: true
  readonly list?: true
}

const LOGINS: List<Pick<Login, 'name' | 'url'>> = { id: 'name', shown: ['name', 'url'] }

/** `login <url>`: stores the address of a service and a token, under a name. Never prints a token. */
export function loginCommand(context: CliContext): Command {
  const command = new CliCommand('login')
    .argument('[url]', 'the address of the API', parseServiceAddress)
    .option('--name <name>', 'the name for --env', parseName, DEFAULT_LOGIN)
    .option('--insecure', 'also over http:// to another machine: others can read the token')
    .option('--list', 'list the logins instead, without their tokens')
    .addHelpText(
      'after',
      '\nOn a terminal it asks for the token; otherwise it reads it from standard input.',
    )
    .examples(
      'wp-frames login https://api.example',
      'wp-frames login https://staging.example/wp-json/svc/v1 --name staging < token',
      'wp-frames login --list',
    )
  return addListOptions(command, LOGINS, '[{name, url}], with --list').action(
    async (url: string | undefined, options: LoginOptions) => {
      const config = await context.readConfig()
      if (options.list) {
        const logins = (await readStoredLogins(config)).map(({ name, url }) => ({ name, url }))
        process.stdout.write(formatRows(LOGINS, logins, logins, options))
        return
      }
      if (url === undefined) return command.error('error: name the address of the API')
      const { name, insecure = false } = options
      assertSecure(url, insecure)
      const token = await readToken(url)
      const login = { name, url, token, insecure }
      const { user } = await httpClient(login, { retries: 1 }).getMe().catch(refusedToken(login))
      await storeLogin(config, login)
      const use =
        name === DEFAULT_LOGIN ? '' : ` Use it with --env ${name}, or WP_FRAMES_ENV=${name}.`
      process.stderr.write(
        sanitizeForTerminal(
          `Logged in at ${url} as "${user.login}". The token is in ${loginsFile(config)}.${use}\n`,
        ),
      )
    },
  )
}

async function readToken(url: string): Promise<string> {
  const given = process.stdin.isTTY
    ? await askSecret(`Token for ${url}: `)
    : await readText(process.stdin)
  const token = given.trim()
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new CommandError(
    'There is no token. Type it when you are asked, or send it on standard input: wp-frames login <url> < file. An administrator issues one with "wp-frames token issue".',
  )
}

/** @throws InvalidArgumentError */
function parseName(text: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,39}$/i.test(text)) return text
  throw new InvalidArgumentError('Use letters, digits, hyphens, points and underscores.')
}
