import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import {
  type FrameProblem,
  findFrameProblems,
  indexedFrame,
} from '../content/frames/find-problems.ts'
import { INLINE_ANALYZER } from '../content/frames/frame-markup.ts'
import { FrameGraph } from '../content/frames/graph.ts'
import { Registry } from '../content/frames/registry.ts'
import { findSlug, SLUG_PATTERN } from '../content/frames/slug.ts'
import { CliCommand } from './cli-command.ts'
import { CommandError } from './cli-context.ts'
import { slugFromFileName } from './frames/folder/frame-file-name.ts'
import { assertFolder, decodeMarkup, readFrameFiles } from './frames/folder/frame-folder.ts'
import { NETWORK_FILE } from './network/network-file.ts'
import { inNoBundle, readFolder } from './network/read-folder.ts'
import { jsonLine, pluralize, sanitizeForTerminal, warn } from './terminal.ts'

const FORMATS = ['text', 'github', 'json'] as const

type CheckOptions = { readonly format: (typeof FORMATS)[number]; readonly strict?: true }

/** A frame in a file. */
type CheckedFile = { readonly file: string; readonly slug: string; readonly html: string }

/** A problem of a file, for editors and CI. */
type LocatedFrameProblem = Pick<FrameProblem, 'severity' | 'code' | 'message'> & {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** `check <folder>`: finds mistakes in the files of a folder. Needs no database. */
export function checkCommand(): Command {
  return new CliCommand('check')
    .argument('<folder>', 'a folder that was pulled, or one with network.yaml')
    .addOption(
      new Option('--format <format>', 'how problems are printed').choices(FORMATS).default('text'),
    )
    .option('--strict', 'exit with 1 for warnings, too')
    .examples('wp-frames check shop', 'wp-frames check network --strict --format github')
    .action(async (folder: string, { format, strict }: CheckOptions) => {
      await assertFolder(folder)
      const isNetwork = existsSync(join(folder, NETWORK_FILE))
      const files = isNetwork ? await readBundles(folder) : await readFiles(folder)
      const problems = await checkFiles(files, { isWhole: !isNetwork })
      process.stdout.write(PRINT[format](problems))
      const errors = problems.filter(({ severity }) => severity === 'error').length
      const warnings = problems.length - errors
      const found = `${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')} in ${pluralize(files.length, 'frame')}.`
      if (errors > 0 || (strict && warnings > 0)) throw new CommandError(found)
      process.stderr.write(`${found}\n`)
    })
}

/**
 * The frames of a folder that was pulled.
 * @throws CommandError for a file that a push would refuse
 */
async function readFiles(folder: string): Promise<CheckedFile[]> {
  const files = await readFrameFiles(folder)
  return [...files.values()].map((file) => {
    const path = join(folder, file.name)
    const slug = findSlug(slugFromFileName(file.name))
    const html = decodeMarkup(file)
    if (slug === undefined)
      throw new CommandError(`${path}: The name of the file is not a valid slug (${SLUG_PATTERN}).`)
    if (html === undefined) throw new CommandError(`${path}: The file is not valid UTF-8.`)
    return { file: path, slug, html }
  })
}

/**
 * The frames of the bundles of a description.
 * @throws CommandError with the file and line of each problem of the description
 */
async function readBundles(folder: string): Promise<CheckedFile[]> {
  const { description, source, unused } = await readFolder(folder)
  warn(unused.map(inNoBundle))
  // Several bundles may have the same file.
  const files = new Map<string, CheckedFile>()
  for (const [bundle, { frames }] of Object.entries(description.bundles))
    for (const [index, { slug, html = '' }] of frames.entries()) {
      const file = join(folder, source.frameFile(bundle, index) ?? bundle)
      files.set(file, { file, slug, html })
    }
  return [...files.values()]
}

/**
 * The problems of frames that do not depend on a site.
 * @param isWhole whether sites have no frames besides these; otherwise a missing one may exist on a site
 */
async function checkFiles(
  files: readonly CheckedFile[],
  { isWhole }: { readonly isWhole: boolean },
): Promise<LocatedFrameProblem[]> {
  const isElsewhere = (code: FrameProblem['code']) => code === 'reference_missing' && !isWhole

  const frames = await Promise.all(
    files.map(async (file) => ({
      ...file,
      id: file.file,
      report: await INLINE_ANALYZER.analyze(file.html),
    })),
  )
  const registry = new Registry(new Map(frames.map(({ id, slug }) => [id, slug])))
  const graph = new FrameGraph(registry, frames.map(indexedFrame))
  const problems = await findFrameProblems(frames, graph, {})
  return problems.map(({ frame, id, severity, code, location, message }) => ({
    file: id,
    ...(location ?? { line: 1, column: 1 }),
    severity: isElsewhere(code) ? 'warning' : severity,
    code,
    message: location ? message : `${frame}: ${message}`,
  }))
}

const PRINT: Readonly<
  Record<CheckOptions['format'], (problems: readonly LocatedFrameProblem[]) => string>
> = {
  // The form of compilers, which editors understand.
  text: (problems) =>
    sanitizeForTerminal(
      problems
        .map(
          ({ file, line, column, severity, code, message }) =>
            `${file}:${line}:${column}: ${severity}: ${message} [${code}]\n`,
        )
        .join(''),
    ),
  github: (problems) =>
    problems
      .map(
        ({ file, line, column, severity, code, message }) =>
          `::${severity} file=${property(file)},line=${line},col=${column},title=${property(code)}::${data(message)}\n`,
      )
      .join(''),
  json: (problems) => jsonLine(problems),
}

/** GitHub's escapes of workflow commands. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
