import { spawn } from 'node:child_process'
import { closeSync, existsSync } from 'node:fs'
import { openServerLog, readCause } from './server-log.ts'

/**
 * The server and the tools that make its data directory. Neither package has a service, a system
 * user or an installation script: nothing is started. (`mariadb-server` has all three.)
 */
const PACKAGES = ['mariadb-server-core', 'mariadb-client-core']

const run = (output: number, ...args: string[]): Promise<number | null> =>
  new Promise((settle) => {
    const child = spawn(
      'env',
      ['DEBIAN_FRONTEND=noninteractive', 'NEEDRESTART_SUSPEND=1', 'apt-get', '--yes', ...args],
      // Away from the terminal's Ctrl-C: a package half unpacked is worse than a late exit.
      { detached: true, stdio: ['ignore', output, output] },
    )
    child.once('exit', settle)
    child.once('error', () => settle(null))
  })

/**
 * Installs MariaDB with apt-get, on Debian and as root only.
 *
 * @returns why it is not installed, or undefined when it is
 */
export const installWithApt = async (
  directory: string,
  log: (line: string) => void,
): Promise<string | undefined> => {
  if (!existsSync('/etc/debian_version')) return 'this is not Debian'
  if (process.getuid?.() !== 0) return 'this program does not run as root'
  log(`No database found: installing MariaDB with apt-get (${PACKAGES.join(', ')})`)
  const output = openServerLog(directory)
  try {
    // Old package lists may do, so only the installation's own failure counts.
    await run(output, 'update')
    const code = await run(
      output,
      'install',
      '--no-install-recommends',
      '--option=DPkg::Lock::Timeout=120',
      ...PACKAGES,
    )
    return code === 0 ? undefined : `apt-get says: ${readCause(directory)}`
  } finally {
    closeSync(output)
  }
}
