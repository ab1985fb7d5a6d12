import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { onceInRun } from './once-in-run.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** What the packages are not built from. */
const LEFT_OUT = ['node_modules', 'dist', '.data', '.git', 'test']

/** The folders of the packages: the service, its client, and the editing of serialized values. */
type PackageFolder = '.' | 'packages/client' | 'packages/php-serialized'

/** A package as its users get it. */
export type InstalledPackage = {
  readonly tarball: string
  /** An empty project with the package in its `node_modules`. */
  readonly project: string
}

/** Builds and packs a package, and installs the tarball in an empty project. */
export async function installedPackage(of: PackageFolder): Promise<InstalledPackage> {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, of, 'package.json'), 'utf8'))
  const tarball = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  const folder = await onceInRun(`package ${tarball}`, (folder) =>
    packAndInstall(folder, of, tarball),
  )
  return { tarball: join(folder, tarball), project: join(folder, 'project') }
}

async function packAndInstall(folder: string, of: PackageFolder, tarball: string): Promise<void> {
  const [source, project] = [join(folder, 'source'), join(folder, 'project')]
  // In a copy, so that the folder `dist` of the developer stays as it is.
  for (const name of readdirSync(ROOT).filter((name) => !LEFT_OUT.includes(name))) {
    const filter = (path: string) => basename(path) !== 'node_modules'
    cpSync(join(ROOT, name), join(source, name), {
      recursive: true,
      filter,
      preserveTimestamps: true,
    })
  }
  for (const part of ['', 'tools/docs', 'tools/client']) {
    const modules = join(part, 'node_modules')
    if (existsSync(join(ROOT, modules))) symlinkSync(join(ROOT, modules), join(source, modules))
  }
  await run(source, 'npm', ['pack', `./${of}`, '--silent', '--pack-destination', folder])
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run(project, 'npm', ['install', ...quiet, join(folder, tarball)])
}

/** Runs a program in a folder, with these variables besides PATH and HOME; throws with its output if it fails. */
export async function run(
  folder: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const options = { cwd: folder, env: { PATH, HOME, ...env } }
  try {
    return (await promisify(execFile)(program, args, options)).stdout
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}
