import { watch } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { assertLanguage } from '../../menus/locations.ts'
import { readLanguages } from '../../wordpress/languages/languages.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import type { CliContext, CliServices } from '../cli-context.ts'
import { describeError } from '../describe-error.ts'
import { examples } from '../examples.ts'
import { waitForStopSignal } from '../signals.ts'
import { getSite } from '../sites/requested-sites.ts'
import { parseFolder, type SiteRef, siteOption } from '../sites/site-options.ts'
import { sanitizeForTerminal } from '../terminal.ts'
import { withServices } from '../with-services.ts'
import { answerPage, type DevSite, homeOf } from './dev/answer-page.ts'
import { DevServer } from './dev/dev-server.ts'
import { checkFolder } from './dev/preview-folder.ts'
import { assertFolder } from './folder/frame-folder.ts'
import { readManifestSite } from './folder/manifest.ts'

const DEFAULT_PORT = 8082

type DevOptions = { readonly site?: SiteRef; readonly port: number; readonly lang?: string }

/** `frames dev <folder>`: serves the pages of a site with the frames of a folder, until a stop signal. */
export function devCommand(context: CliContext): Command {
  return new Command('dev')
    .argument('<folder>', 'the folder that was pulled', parseFolder)
    .addOption(siteOption('one site [the one that the folder was pulled from]'))
    .option('--port <number>', 'port on 127.0.0.1; 0 for a free one', parsePort, DEFAULT_PORT)
    .option('--lang <code>', 'the language to begin with')
    .addHelpText(
      'after',
      examples('wp-frames frames dev shop', 'wp-frames frames dev shop --lang ar --port 0'),
    )
    .action((folder: string, options: DevOptions) =>
      withServices(context, async (services) => {
        await assertFolder(folder)
        const site = await getSite(services, options.site ?? (await readManifestSite(folder)))
        const { lang, port } = options
        if (lang !== undefined) assertLanguage(await readLanguages(services.db, site), lang)
        await serveFolder(services, { site, lang, folder }, { port, stopped: waitForStopSignal() })
      }),
    )
}

async function serveFolder(
  services: CliServices,
  dev: DevSite,
  { port, stopped }: { readonly port: number; readonly stopped: Promise<void> },
): Promise<void> {
  const server: DevServer = new DevServer((target) =>
    answerPage(services, dev, target, server.revision),
  )
  const origin = await server.start(port)
  const { pathname } = await homeOf(services, dev)
  print(
    `${origin}${pathname} shows ${siteAddress(dev.site)} with the frames in ${dev.folder}. Nothing is stored. Ctrl-C stops it.`,
  )
  const { settleMs } = services.db.timings.cli
  const watcher = watchFolder(dev.folder, settleMs, async () => {
    server.reload()
    await report(services, dev)
  })
  try {
    await report(services, dev)
    await stopped
  } finally {
    watcher.close()
    await server.stop()
  }
}

/** Prints the problems of the folder. */
async function report(services: CliServices, { site, folder }: DevSite): Promise<void> {
  try {
    const problems = await checkFolder(services, site, folder)
    for (const { file, message } of problems) print(`${file}: ${message}`)
    if (problems.length === 0) print('No problems.')
  } catch (error) {
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
