import { watch } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { type Client, isServiceError } from '#client'
import { siteAddress } from '../../wordpress/network/site.ts'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { waitForStopSignal } from '../signals.ts'
import { findSite } from '../sites/find-sites.ts'
import { type AddressedSite, parseFolder, type SiteRef, siteOption } from '../sites/site-options.ts'
import { sanitizeForTerminal } from '../terminal.ts'
import { atService, type Service } from '../with-service.ts'
import { withClient } from './dev/dev-client.ts'
import { type DevAnswer, DevServer } from './dev/dev-server.ts'
import { checkFolder, previewFolder } from './dev/preview-folder.ts'
import { assertFolder } from './folder/frame-folder.ts'
import { readManifestSite } from './folder/manifest.ts'

const DEFAULT_PORT = 8082

type DevOptions = {
  readonly site?: SiteRef
  readonly port: number
  readonly lang?: string
}

/** `frames dev <folder>`: serves the pages of a site with the frames of a folder, until a stop signal. */
export function devCommand(context: CliContext): Command {
  const command = new CliCommand('dev')
    .argument('<folder>', 'the folder that was pulled', parseFolder)
    .addOption(siteOption('one site [the one that the folder was pulled from]'))
    .option('--port <number>', 'port on 127.0.0.1; 0 for a free one', parsePort, DEFAULT_PORT)
    .option('--lang <code>', 'the language to begin with')
    .examples('wp-frames frames dev shop', 'wp-frames frames dev shop --lang ar --port 0')
  return atService(context, command, serveFolder, { tables: false })
}

async function serveFolder(
  { client, timings }: Service,
  folder: string,
  options: DevOptions,
): Promise<void> {
  const stopped = waitForStopSignal()
  await assertFolder(folder)
  const site = await findSite(client, options.site ?? (await readManifestSite(folder)))
  const dev: DevSite = { client, site, lang: options.lang, folder }
  const { pathname } = new URL((await findAt(dev, '/')).home)
  const server: DevServer = new DevServer((target) => answerPage(dev, target, server.revision))
  const origin = await server.start(options.port)
  print(
    `${origin}${pathname} shows ${siteAddress(site)} with the frames in ${folder}. Nothing is stored. Ctrl-C stops it.`,
  )
  const watcher = watchFolder(folder, timings.cli.settleMs, async () => {
    server.reload()
    await report(dev)
  })
  try {
    await report(dev)
    await stopped
  } finally {
    watcher.close()
    await server.stop()
  }
}

/** Prints the problems of the folder. */
async function report({ client, site, folder }: DevSite): Promise<void> {
  try {
    const problems = await checkFolder(client, site, folder)
    for (const { file, message } of problems) print(`${file}: ${message}`)
    if (problems.length === 0) print('No problems.')
  } catch (error) {
    const { describeError } = await import('../describe-error.ts')
    print(describeError(error))
  }
}

/** Calls `onChange` when files of the folder have changed, one call at a time. */
function watchFolder(
  folder: string,
  settleMs: number,
  onChange: () => Promise<void>,
): { close(): void } {
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  const settle = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(onChange)
    }, settleMs)
  }
  const watcher = watch(folder, settle)
  watcher.on('error', (error) => print(`${folder} is not watched any more: ${error.message}`))
  return {
    close: () => {
      clearTimeout(timer)
      watcher.close()
    },
  }
}

const print = (line: string): void => void process.stdout.write(`${sanitizeForTerminal(line)}\n`)

/** @throws InvalidArgumentError */
function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Use a number from 0 to 65535.')
}

type DevSite = {
  readonly client: Client
  readonly site: AddressedSite
  /** The language whose host the dev server serves; undefined for the default language. */
  readonly lang: string | undefined
  /** Path of the folder. */
  readonly folder: string
}

/** What is at a path of the site. @param target path and query */
const findAt = ({ client, site, lang }: DevSite, target: string) =>
  client.getAddress({
    site_id: site.blogId,
    url: target,
    ...(lang === undefined ? {} : { lang }),
  })

/**
 * The page at a path of the site, with the frames of the folder. What is no page (images, posts, other sites) is fetched from the site itself.
 * @param target path and query
 */
async function answerPage(dev: DevSite, target: string, revision: string): Promise<DevAnswer> {
  try {
    return await findAndPreview(dev, target, revision)
  } catch (error) {
    const { describeError, describeKnownError } = await import('../describe-error.ts')
    const known = describeKnownError(error)
    if (known === undefined) process.stderr.write(`${describeError(error)}\n`)
    const message = known ?? 'The page could not be built; the reason is in the terminal.'
    const status = isServiceError(error, 'page_has_no_frame') ? 404 : 500
    const data = { revision, problems: [{ file: '', message }], origins: [] }
    return { status, html: withClient(EMPTY_PAGE, data) }
  }
}

async function findAndPreview(dev: DevSite, target: string, revision: string): Promise<DevAnswer> {
  const found = await findAt(dev, target)
  const { host, pathname } = new URL(found.home)
  if (!found.page) {
    const isAbove = target === '/' && pathname !== '/'
    return { location: isAbove ? pathname : found.url }
  }
  const { html, problems } = await previewFolder(dev.client, dev.site, dev.folder, found.page.id)
  const origins = ['http:', 'https:'].map((scheme) => `${scheme}//${host}`)
  return { status: 200, html: withClient(html, { revision, problems, origins }) }
}

const EMPTY_PAGE = '<!doctype html><html lang="en"><title>Not built</title></html>'
