import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FramesCli } from './frames-cli.ts'

/** The folder of a test that pulls the frames of the shop and pushes them. */
export function pushedFolder(cliOf: () => FramesCli) {
  const at = (name: string) => join(cliOf().folder, name)
  const json = (code: number, verb: string, ...args: string[]) =>
    cliOf().json(code, verb, cliOf().folder, '--site', '2', ...args)
  const pull = () => json(0, 'pull')
  const pushJson = (code: number, ...args: string[]) => json(code, 'push', ...args)
  return {
    at,
    read: (name: string) => readFile(at(name), 'utf8'),
    write: (name: string, text: string | Buffer) => writeFile(at(name), text),
    pull,
    /** Creates these frames on the shop and pulls them. */
    pulled: async (frames: Readonly<Record<string, string>>): Promise<void> => {
      for (const [slug, html] of Object.entries(frames)) await cliOf().put(slug, html)
      await pull()
    },
    push: (...args: string[]) => cliOf().run('push', cliOf().folder, '--site', '2', ...args),
    pushJson,
    /** The problems that prevent a push. */
    problems: async (...args: string[]): Promise<Record<string, string>[]> => {
      const { plans } = await pushJson(1, ...args)
      return plans.flatMap((plan: { problems: Record<string, string>[] }) => plan.problems)
    },
  }
}

/** What a push prints that has nothing to do. */
export const NOTHING = '1 site: 0 steps on 0 sites, 1 without changes\n'

/** The lines that a push prints, without the id of its run. */
export const linesOf = (stdout: string): string[] =>
  stdout.replace(/^Push of frames, run [\da-f-]{36}/m, 'Run').split('\n')

export const embed = (slug: string): string => `<!-- svc/frame {"name":"${slug}"} /-->`
