import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs `apt-get`; several may want to install at once, and wait for one another. */
export function aptGet(args: readonly string[], cwd?: string): Promise<unknown> {
  return run('apt-get', ['--yes', '--quiet', '--option=DPkg::Lock::Timeout=120', ...args], {
    cwd,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_SUSPEND: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
}

/** Why packages can't be had here, or undefined where they can. */
export function aptObstacle(): string | undefined {
  if (!existsSync('/etc/debian_version')) return 'this is not Debian'
  return process.getuid?.() === 0 ? undefined : 'this does not run as root'
}

/**
 * Fetches one of Debian's packages and unpacks it, without installing it and what it would start.
 * @param work an empty folder
 * @returns the folder that stands for the root of the file system
 */
export async function unpackDebian(name: string, work: string): Promise<string> {
  process.stderr.write(`Fetching Debian's package ${name}\n`)
  // On a bare machine the lists of packages may be missing or old.
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
 * Sees to it that there is a PHP with what WordPress and a Redis drop-in need, and no web server with it.
 * @throws Error that says what to install, where that can't be done here
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
