import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Unavailable } from '../trial.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../../..')
const MAX_OUTPUT = 64 * 1024 * 1024

/** A version of the program that can run. */
export type BuiltVersion = {
  readonly name: string
  /** The path of its `main.js`. */
  readonly program: string
  /** The file names of its migrations. */
  readonly migrations: readonly string[]
}

/** The version of the work tree, which `npm run torture` has built. */
export async function presentVersion(): Promise<BuiltVersion> {
  return describeVersion('this version', ROOT)
}

/** The last tag before the present commit. @throws Unavailable if there is none */
export async function findLastTag(): Promise<string> {
  try {
    const { stdout } = await run('git', ['describe', '--tags', '--abbrev=0', 'HEAD^'], {
      cwd: ROOT,
    })
    return stdout.trim()
  } catch {
    throw new Unavailable(
      'no version is tagged before this one, or this is no clone of the repository. Name a commit with --from.',
    )
  }
}

/**
 * Builds the program of a commit in a folder, without checking its types: they were checked when it was committed. It uses the installed packages if its
 * dependencies are the same.
 * @param version a tag or another name of a commit
 * @throws Unavailable if the repository does not have it
 */
export async function buildVersion(version: string, folder: string): Promise<BuiltVersion> {
  await mkdir(folder)
  const archive = join(folder, 'version.tar')
  await run('git', ['archive', `--output=${archive}`, version], { cwd: ROOT }).catch((error) => {
    throw new Unavailable(`the repository has no commit "${version}": ${error.stderr}`)
  })
  await run('tar', ['-xf', archive, '-C', folder])
  if (await hasSameDependencies(folder))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  else
    await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      maxBuffer: MAX_OUTPUT,
    })
  // It makes the commands of endpoints. Earlier versions have none.
  const generator = 'tools/write-client-schema.ts'
  if (existsSync(join(folder, generator)))
    await run(
      process.execPath,
      [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), generator, '--operations'],
      {
        cwd: folder,
        maxBuffer: MAX_OUTPUT,
      },
    )
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  // The service and its commands load these packages. Earlier versions have not all of them.
  const configs = ['.', 'packages/client', 'packages/php-serialized']
    .map((part) => join(folder, part, 'tsconfig.build.json'))
    .filter((config) => existsSync(config))
  for (const config of configs)
    await run(process.execPath, [compiler, '-p', config, '--noCheck'], {
      cwd: folder,
      maxBuffer: MAX_OUTPUT,
    })
  return describeVersion(version, folder)
}

async function describeVersion(name: string, folder: string): Promise<BuiltVersion> {
  const files = await readdir(join(folder, 'sql/migrations'))
  const migrations = files.filter((file) => file.endsWith('.sql')).sort()
  return { name, program: join(folder, 'dist/main.js'), migrations }
}

type LockFile = {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly dev?: true; readonly link?: true }>
  >
}

/** Whether the packages that the program needs when it runs have the same versions as those of the work tree. */
async function hasSameDependencies(folder: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all([folder, ROOT].map(readDependencies))
  return theirs === ours
}

async function readDependencies(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package-lock.json'), 'utf8')
  const { packages }: LockFile = JSON.parse(text)
  const used = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  )
  return JSON.stringify(used.map(([path, { version }]) => [path, version]).sort())
}

/** Runs a command of a version, and returns what it prints. */
export async function runCommand(
  { program }: BuiltVersion,
  args: readonly string[],
  databaseUrl: string,
): Promise<string> {
  const { stdout } = await run(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: databaseUrl, STATIC_DIR: '' },
  })
  return stdout.trim()
}
