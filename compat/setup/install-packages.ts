import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs `apt-get`. Concurrent installations wait for one another. */
function aptGet(args: readonly string[], cwd?: string): Promise<unknown> {
  return run('apt-get', ['--yes', '--quiet', '--option=DPkg::Lock::Timeout=120', ...args], {
    cwd,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_SUSPEND: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
}

/** Why packages cannot be installed here; undefined if they can. */
export function aptObstacle(): string | undefined {
  if (!existsSync('/etc/debian_version')) return 'this is not Debian'
  return process.getuid?.() === 0 ? undefined : 'this does not run as root'
}

/**
 * Downloads one of Debian's packages and unpacks it, without installing it or starting its services.
 * @param work an empty folder
 * @returns the folder that corresponds to the root of the file system
 */
export async function unpackDebian(name: string, work: string): Promise<string> {
  process.stderr.write(`Downloading Debian's package ${name}\n`)
  // On a new machine the package lists may be missing or old.
  await aptGet(['download', name], work).catch(async () => {
    await aptGet(['update'])
    await aptGet(['download', name], work)
  })
  const [archive = ''] = (await readdir(work)).filter((file) => file.endsWith('.deb'))
  const root = join(work, 'x')
  await run('dpkg', ['-x', join(work, archive), root])
  return root
}

const MODULES = ['mysqli', 'mbstring', 'intl', 'redis']
const PACKAGES = ['php-cli', 'php-mysql', 'php-mbstring', 'php-intl', 'php-redis']

/**
 * Installs a PHP with the modules that WordPress and a Redis drop-in need, without a web server.
 * @throws Error that names the packages, if they cannot be installed here
 */
export async function installPhp(): Promise<void> {
  if (await hasPhp()) return
  const obstacle = aptObstacle()
  if (obstacle) {
    throw new Error(
      `PHP with ${MODULES.join(', ')} is missing, and ${obstacle}. Install ${PACKAGES.join(' ')}.`,
    )
  }
  process.stderr.write(`Installing ${PACKAGES.join(', ')} with apt-get\n`)
  await aptGet(['update'])
  await aptGet(['install', '--no-install-recommends', ...PACKAGES])
}

async function hasPhp(): Promise<boolean> {
  try {
    const { stdout } = await run('php', ['-m'])
    return MODULES.every((name) => stdout.split('\n').includes(name))
  } catch {
    return false
  }
}
