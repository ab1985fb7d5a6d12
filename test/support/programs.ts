import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs that tests use and a machine may lack: their names, and the Debian package that has one of them. */
const PROGRAMS = {
  chromium: { names: ['chromium', 'chromium-browser'], package: 'chromium' },
  fish: { names: ['fish'], package: 'fish' },
  haproxy: { names: ['haproxy'], package: 'haproxy' },
  nginx: { names: ['nginx'], package: 'nginx' },
  openssl: { names: ['openssl'], package: 'openssl' },
  php: { names: ['php'], package: 'php-cli' },
  promtool: { names: ['promtool'], package: 'prometheus' },
  python: { names: ['python3'], package: 'python3' },
  // redis-tools contains the server under another name, without the service that redis-server starts.
  redis: { names: ['redis-server', 'valkey-server', 'redis-check-rdb'], package: 'redis-tools' },
  'systemd-analyze': { names: ['systemd-analyze'], package: 'systemd' },
  varnish: { names: ['varnishd'], package: 'varnish varnish-modules' },
  zsh: { names: ['zsh'], package: 'zsh' },
} as const

export type Program = keyof typeof PROGRAMS

/** The path of a program in the folders of `PATH`; undefined on a machine without it. */
export function findProgram(program: Program): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = PROGRAMS[program].names.flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  )
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** @throws if the machine does not have it: call it in a group of `describeWith` */
export function programPath(program: Program): string {
  const path = findProgram(program)
  if (path === undefined) throw new Error(`${program} is not installed`)
  return path
}

/** What a skipped test is called, which the run prints: the program, and the package to install. */
export const missingProgram = (program: Program): string =>
  `needs ${program}: apt-get install ${PROGRAMS[program].package}`
