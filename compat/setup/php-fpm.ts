import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram } from './find-program.ts'

/** php-fpm, and the folder of settings that load PHP's modules. */
export type PhpFpm = { readonly program: string; readonly modules: string }

/**
 * Finds the php-fpm of the installed PHP.
 * @param folder in which an unpacked one stays between runs
 * @throws Error that names the package to install, if it cannot be downloaded
 */
export async function findPhpFpm(folder: string): Promise<PhpFpm> {
  const version = 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'
  const { stdout: series } = await promisify(execFile)('php', ['-r', version])
  return {
    program: await findProgram(`php-fpm${series}`, `php${series}-fpm`, folder),
    // The modules of PHP's command line: a program that is only unpacked has no others.
    modules: `/etc/php/${series}/cli/conf.d`,
  }
}

export type FpmPlan = {
  /** The folder of its socket, `php.sock`, and of its log, `php-fpm.log`. */
  readonly folder: string
  readonly workers: number
  readonly isRoot: boolean
  /** Environment variables for WordPress's configuration. */
  readonly environment: Readonly<Record<string, string>>
}

/** Configuration of php-fpm with a fixed number of workers and Debian's settings of opcache. */
export function fpmConf({ folder, workers, isRoot, environment }: FpmPlan): string {
  const variables = Object.entries(environment)
  return `
[global]
daemonize = no
error_log = ${folder}/php-fpm.log
[www]
${isRoot ? 'user = root\ngroup = root' : ''}
listen = ${folder}/php.sock
pm = static
pm.max_children = ${workers}
php_admin_value[memory_limit] = 512M
php_admin_value[max_execution_time] = 0
php_admin_value[error_reporting] = 22527
${variables.map(([name, value]) => `env[${name}] = "${value}"`).join('\n')}
`
}
