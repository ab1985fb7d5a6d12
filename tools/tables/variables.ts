import { z } from 'zod'
import { secretVariables } from '../../src/host/config/config.ts'
import { VARIABLES } from '../../src/host/config/variables.ts'
import { withRows } from './rows.ts'

/** The text that has the effect of a variable that is not set. */
const defaultOf = (schema: z.ZodType): string | undefined =>
  schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : undefined

const variables = Object.entries<z.ZodType>(VARIABLES).map(([name, schema]) => ({
  name,
  standard: defaultOf(schema),
  meaning: schema.description ?? '',
  isSecret: secretVariables().includes(name),
  isForCommands: name.startsWith('WP_FRAMES_') || name.startsWith('XDG_'),
}))
type Variable = (typeof variables)[number]

/** docs/configuration.md with a row for each variable, and the names of the secrets. */
export function configurationPage(page: string): string {
  const rows = variables.map(({ name, standard, meaning }) => [
    `\`${name}\``,
    standard === undefined ? 'none' : `\`${standard}\``,
    meaning,
  ])
  const secrets = secretVariables().map((name) => `\`${name}\``)
  return withRows(page, ['variable', 'default', 'meaning'], rows).replace(
    /(?<=^These variables contain secrets: )[^.]*/m,
    secrets.join(', '),
  )
}

/** What a group of variables is about, by its first one. */
const GROUPS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'The network.',
  HOST: 'Addresses and ports.',
  DB_POOL_SIZE: 'Processes.',
  STATIC_DIR: 'Static copies: a folder or a store.',
  WATCH_SECONDS: 'Edits in WordPress, and its object cache.',
  PAGE_CACHE_PURGE: 'Page caches.',
  STORED_MB_PER_SITE: 'Frames and history.',
  RATE_LIMIT_PER_MINUTE: 'Limits of requests.',
  EXECUTOR_URL: 'An executor in another process.',
  LEGACY_URL: 'The old endpoint.',
  WP_FRAMES_TOKEN: 'For commands only.',
}

/** Lines of these variables, in groups with their titles. */
function inGroups(chosen: readonly Variable[], lineOf: (variable: Variable) => string): string {
  const groups = new Map<string, string[]>()
  let title = ''
  for (const variable of variables) {
    title = GROUPS[variable.name] ?? title
    if (chosen.includes(variable))
      groups.set(title, [...(groups.get(title) ?? []), lineOf(variable)])
  }
  return [...groups].map(([title, lines]) => `\n# ${title}\n${lines.join('\n')}\n`).join('')
}

/** What ops/systemd sets. The web server on the same machine is the only client. */
const UNIT: Readonly<Record<string, string>> = {
  BASE_PATH: '/wp-json/svc/v1',
  TRUST_PROXY: 'loopback',
  METRICS_PORT: '9464',
  STATIC_DIR: '/var/lib/wp-frames/static',
}

const unitLine = ({ name, standard = '' }: Variable): string =>
  name in UNIT ? `${name}=${UNIT[name]}` : `#${name}=${standard}`

const secrets = variables.filter(({ isSecret, isForCommands }) => isSecret && !isForCommands)
const others = variables.filter((variable) => !secrets.includes(variable))

/** The comment at the top of a file. */
const top = (file: string): string => file.slice(0, file.indexOf('\n\n') + 1)

/** ops/systemd/wp-frames.env: every variable after the comment at its top; those that are commented out have their defaults. */
export function unitSettings(file: string): string {
  const groupsOf = (isForCommands: boolean): string =>
    inGroups(
      others.filter((variable) => variable.isForCommands === isForCommands),
      unitLine,
    )
  return `${top(file)}${groupsOf(false)}
# Secrets. Better as files: see wp-frames.service and secrets.conf. A secret must not be in both.
${secrets.map(unitLine).join('\n')}
${groupsOf(true)}`
}

/** ops/systemd/secrets.conf: the secrets that no unit has by itself. */
export function unitSecrets(file: string): string {
  const lines = secrets.flatMap(({ name }) => {
    const id = name.toLowerCase().replaceAll('_', '-')
    return name === 'DATABASE_URL'
      ? []
      : [
          `#LoadCredential=${id}:/etc/wp-frames/secrets/${id}\n`,
          `#Environment=${name}_FILE=%d/${id}\n`,
        ]
  })
  return file.replace(/(?<=^\[Service\]\n)[\s\S]*/m, lines.join(''))
}

const OTHERS = '# Other settings: docs/configuration.md.\n'

/** docker/production.env.example with the variables that the compose file reads, after those that are explained there. */
export function dockerSettings(file: string, compose: string): string {
  const [explained = ''] = file.split(OTHERS)
  const isOther = ({ name }: Variable): boolean =>
    compose.includes(`\${${name}`) && !new RegExp(`^#?${name}=`, 'm').test(explained)
  return explained + OTHERS + inGroups(variables.filter(isOther), ({ name }) => `#${name}=`)
}
